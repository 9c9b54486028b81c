import { afterAll, describe, expect, it } from '@jest/globals';
import { newAccountId, newExecutionId, type JsonValue } from '@capability-router/kernel';
import { JsonataPool, JsonPathPool, type DispatchedAnswer } from '@capability-router/provider-kit';
import type { CachedResult } from '../../provider-cache/cached-result.js';
import { toolContract } from '../../test-support/tool-contract.js';
import { planOf, type Candidate } from '../admission/domain/plan.js';
import type { Answered } from '../dispatch/attempt-dispatch.js';
import { AttemptOutcome } from './attempt-outcome.js';

const jsonPaths = new JsonPathPool();
/** With more time than a slow machine needs. */
const expressions = new JsonataPool({ timeoutMs: 2_000 });
const outcome = new AttemptOutcome(jsonPaths, expressions);
afterAll(() => Promise.all([jsonPaths.close(), expressions.close()]));

const assertion = { accountId: newAccountId(1), accountKind: 'formal', credentialType: 'api_key', scopes: [] } as const;
const degrees = {
  mapping: { degrees: { from: '$.t' } },
  fields: { degrees: { type: 'number', required: true } },
} as const;

function attempt(result?: NonNullable<Candidate['result']>) {
  const candidate = { position: 0, tool: toolContract(), parameters: {}, ...(result === undefined ? {} : { result }) };
  const subject = { executionId: newExecutionId(1), assertion, partial: {} };
  const plan = planOf(subject, [candidate], { deadlineMs: 1_000, repeatable: false });
  if (plan === undefined) throw new Error('a plan without limits has its attempt');
  return plan.attempts[0];
}

/** An answer of a provider, and what equal calls were told of it. */
function dispatched(answer: DispatchedAnswer, data: JsonValue) {
  const told: string[] = [];
  const share = (result: CachedResult | undefined): void => void told.push(result?.serialized.toString() ?? 'nothing');
  const answered: Answered = { kind: 'answered', answer, serialized: Buffer.from(JSON.stringify(data)), share };
  return { answered, told };
}

describe('equal calls that wait for the answer to an attempt', () => {
  it.each<[string, JsonValue, string]>([
    ['a valid result, as the tool gave it', { t: 21 }, '{"t":21}'],
    ['a result that does not fit what was asked for here', { t: 'warm' }, '{"t":"warm"}'],
    ['nothing of an empty one', [], 'nothing'],
  ])('are told once of %s', async (_what, data, expected) => {
    const { answered, told } = dispatched({ kind: 'answered', data }, data);
    await outcome.of(attempt(degrees), answered);
    expect(told).toEqual([expected]);
  });

  it('are let go where it cannot be judged, and run for themselves', async () => {
    const broken: DispatchedAnswer = {
      kind: 'answered',
      get data(): never {
        throw new Error('a fault of ours');
      },
    };
    const { answered, told } = dispatched(broken, {});
    await expect(outcome.of(attempt(), answered)).rejects.toThrow('a fault of ours');
    expect(told).toEqual(['nothing']);
  });
});

describe('a result that expressions make', () => {
  const fields = { mean: { type: 'number', required: true } } as const;
  const data = { days: [{ t: 20 }, { t: 23 }], words: `${'a'.repeat(60)}!` };
  const obtainedBy = async (jsonata: string) => {
    const { answered } = dispatched({ kind: 'answered', data }, data);
    const result = await outcome.of(attempt({ mapping: { mean: { jsonata } }, fields }), answered);
    if (!('obtained' in result)) throw new Error('an answered attempt has what it obtained');
    return result.obtained;
  };

  it('is what the caller gets, and the tool’s own is what is billed', async () => {
    const obtained = await obtainedBy('$average(days.t)');
    expect(obtained).toMatchObject({ classified: { success: true }, data, shown: { data: { mean: 21.5 } } });
  });

  it.each<[string, string, RegExp]>([
    ['do not end', '($again := function() { $again() }; $again())', /does not end within its limits|too busy to map/],
    ['do not fit it', '$average(words)', /the mapping of the field mean makes nothing of it \(T0412\)/],
    ['make a field of another type', '$string(days[0].t)', /the field mean is string, and not number/],
    ['make nothing', 'nights.t', /the field mean is missing/],
  ])('does not serve, and shows nothing of what the tool answered, where they %s', async (_what, jsonata, why) => {
    const { classified, ...left } = await obtainedBy(jsonata);
    expect([classified.success, classified.outcome.billableSuccess]).toEqual([false, false]);
    expect(classified.errorMessage).toMatch(why);
    expect([left.data, left.shown]).toMatchObject([{}, { data: {} }]);
  });
});
