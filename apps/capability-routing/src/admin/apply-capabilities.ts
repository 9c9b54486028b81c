import type { CapabilityContract, ValidationDetail } from '@capability-router/contracts';
import { toIso, type Clock } from '@capability-router/kernel';
import { inTransaction } from '@capability-router/service-kit';
import type pg from 'pg';
import { judgeBindings, type BindingVerdict } from '../bindings/judge-bindings.js';
import { makeExamples } from '../bindings/made-examples.js';
import { appendCapabilityEvents, published } from '../contracts/append-capability-events.js';
import { findLive, saveContracts } from '../contracts/capabilities.js';
import { hashCapability } from '../contracts/hash-capability.js';
import { lockPublications } from '../contracts/lock-publications.sql.js';
import type { Expressions } from '../expressions/expressions.js';
import { findPublishedTools } from '../tool-copies/tool-copies.js';
import type { CapabilityDiff } from '../versions/domain/diff-capabilities.js';
import { planChange } from './domain/plan-change.js';
import type { WrittenCapability } from './manifest/read-capability.js';

/** Contracts in one transaction: short enough not to hold back readers of the event store. */
export const MAX_BATCH_CAPABILITIES = 100;
/** Faults, and changes that break callers, of one contract. */
const MAX_DETAILS = 50;

export interface ApplyOptions {
  readonly allowBreaking: boolean;
  /** Says what would become of them, and writes nothing. */
  readonly dryRun: boolean;
}

/** The result for each contract, in the order in which they came. */
export type CapabilityOutcome = { readonly capabilityId: string } & (
  | {
      readonly result: 'created' | 'changed' | 'unchanged';
      readonly contractVersion: number;
      readonly schemaHash: string;
      readonly diff?: CapabilityDiff;
      readonly bindings: readonly BindingVerdict[];
    }
  /** A binding does not fit its tool. Each `loc` begins at the contract. */
  | { readonly result: 'invalid'; readonly details: readonly ValidationDetail[] }
  /** It does not go with the contract that is there; `details` name the changes that would break callers. */
  | { readonly result: 'refused'; readonly message: string; readonly details?: readonly ValidationDetail[] }
);

/**
 * Makes contracts what administrators wrote, at most `MAX_BATCH_CAPABILITIES` of different capabilities, in one transaction: row and
 * event. Repeating it changes nothing. One that is refused stops no other.
 */
export async function applyCapabilities(
  pool: pg.Pool,
  clock: Clock,
  expressions: Expressions,
  written: readonly WrittenCapability[],
  { allowBreaking, dryRun }: ApplyOptions,
): Promise<CapabilityOutcome[]> {
  const manifests = written.map(({ manifest }) => manifest);
  // Expressions may take their time, and the transaction holds a lock.
  const made = await makeExamples(expressions, manifests);
  return inTransaction(pool, async (tx) => {
    await lockPublications(tx);
    const live = await findLive(
      tx,
      manifests.map(({ capabilityId }) => capabilityId),
    );
    const tools = await findPublishedTools(
      tx,
      manifests.flatMap(({ candidates }) => candidates.map(({ toolId }) => toolId)),
    );
    const saved: CapabilityContract[] = [];
    const outcomes = written.map(({ manifest, schemaHash: replaces }): CapabilityOutcome => {
      const { capabilityId } = manifest;
      const bindings = judgeBindings(manifest, tools, made);
      const details = detailsOf(bindings);
      if (details.length > 0) return { capabilityId, result: 'invalid', details };
      const wanted = { ...hashCapability(manifest), replaces, allowsBreaking: allowBreaking };
      const plan = planChange(wanted, live.get(capabilityId));
      if (plan.kind === 'refuse') {
        const { message, diff } = plan;
        return { capabilityId, result: 'refused', message, ...(diff === undefined ? {} : { details: breaks(diff) }) };
      }
      if (plan.kind === 'save') saved.push(plan.contract);
      const { contractVersion, schemaHash } = plan.contract;
      const result = plan.kind === 'keep' ? 'unchanged' : plan.result;
      const diff = plan.kind === 'save' && plan.diff !== undefined ? { diff: plan.diff } : {};
      return { capabilityId, result, contractVersion, schemaHash, ...diff, bindings };
    });
    if (dryRun || saved.length === 0) return outcomes;
    const now = toIso(clock.nowMs());
    await saveContracts(tx, saved, 'manifest', now);
    await appendCapabilityEvents(tx, saved.map(published), now);
    return outcomes;
  });
}

const detailsOf = (bindings: readonly BindingVerdict[]): ValidationDetail[] =>
  bindings
    .flatMap(({ faults }, index) =>
      faults.map(({ type, path, msg }) => ({ type, loc: ['candidates', index, ...path], msg })),
    )
    .slice(0, MAX_DETAILS);

const breaks = ({ changes }: CapabilityDiff): ValidationDetail[] =>
  changes
    .filter(({ impact }) => impact === 'breaking')
    .slice(0, MAX_DETAILS)
    .map(({ path, reason }) => ({ type: 'breaking_change', loc: ['body', path], msg: reason }));
