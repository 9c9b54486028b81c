import { mapResult } from '@capability-router/contracts';
import type { Computed } from '@capability-router/provider-kit';
import type { Candidate } from '../../admission/domain/plan.js';
import { classifyAnswer, isEmptyResult, misfitOf, unmapped, type Classified } from './classify-outcome.js';
import type { Obtained } from './obtained.js';

/**
 * A mapping may name one part of a result many times. What it makes is at most so many times as large as the tool's own result,
 * and may always have so many bytes.
 */
const MAX_GROWTH = 4;
const ALWAYS_ALLOWED_BYTES = 65_536;

/** The part of a result that did not serve which is kept, shown and recorded: the tool's own is not the capability's, and nobody pays for it. */
const nothing = { data: {}, serialized: Buffer.from('{}') } as const;

/**
 * The result of a tool as the capability promises it. One that does not keep the promise, and an empty one, did not serve: it is
 * classified as a failure, and so never charged nor shown, and nothing of it is kept while the attempts after it run. What the
 * tool itself answered is still what is billed. `computed`: what the expressions of the mapping made of it; absent where it has none.
 */
export function inFields(
  obtained: Obtained,
  { mapping, fields }: NonNullable<Candidate['result']>,
  computed?: Computed,
): Obtained {
  const { classified, data, serialized } = obtained;
  if (serialized === undefined) return obtained;
  const unserved = (as: Classified): Obtained => ({ ...obtained, ...nothing, classified: as, shown: nothing });
  if (!classified.success) return unserved(classified);
  if (computed === 'busy') return unserved(unmapped);
  if (computed === 'limits') return unserved(misfitOf('its mapping does not end within its limits'));
  if (computed !== undefined && 'fault' in computed) {
    const { member, code } = computed.fault;
    return unserved(misfitOf(`the mapping of the field ${member} makes nothing of it (${code})`));
  }
  const mapped = mapResult(mapping, fields, data, computed?.values);
  if ('misfit' in mapped) return unserved(misfitOf(mapped.misfit));
  const shown = serializeWithin(mapped.data, Math.max(ALWAYS_ALLOWED_BYTES, MAX_GROWTH * serialized.length));
  if (shown === undefined) return unserved(misfitOf('the mapping makes it too large'));
  if (isEmptyResult(mapped.data)) return unserved(classifyAnswer({ kind: 'answered', data: {} }, perCall));
  return { ...obtained, shown: { data: mapped.data, serialized: shown } };
}

/** An empty result is one at any price. */
const perCall = { metering: { kind: 'call' }, amountMicroCredits: '0', unitLabel: 'call' } as const;

/** Undefined above so many bytes, which are counted member by member, so that no more than one of them is written in vain. */
function serializeWithin(data: Readonly<Record<string, unknown>>, maxBytes: number): Buffer | undefined {
  const members: string[] = [];
  let bytes = 2;
  for (const [name, value] of Object.entries(data)) {
    const member = `${JSON.stringify(name)}:${JSON.stringify(value)}`;
    bytes += Buffer.byteLength(member) + 1;
    if (bytes > maxBytes) return undefined;
    members.push(member);
  }
  return Buffer.from(`{${members.join(',')}}`);
}
