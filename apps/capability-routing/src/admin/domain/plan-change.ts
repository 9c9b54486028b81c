import type { CapabilityContract } from '@capability-router/contracts';
import { nextContract, type HashedCapability, type LiveCapability } from '../../contracts/domain/plan-publication.js';
import { diffCapabilities, type CapabilityDiff } from '../../versions/domain/diff-capabilities.js';

/** Changes that a refusal names in its message; its details have more. */
const MAX_NAMED_CHANGES = 5;

export interface WantedChange extends HashedCapability {
  /** The hash of the contract that was looked at; where it is another one by now, nothing is done. */
  readonly replaces?: string | undefined;
  readonly allowsBreaking: boolean;
}

export type ChangePlan =
  | { readonly kind: 'keep'; readonly contract: CapabilityContract }
  | {
      readonly kind: 'save';
      readonly result: 'created' | 'changed';
      readonly contract: CapabilityContract;
      readonly diff?: CapabilityDiff;
    }
  /** `diff`: where it is refused because it breaks callers. */
  | { readonly kind: 'refuse'; readonly message: string; readonly diff?: CapabilityDiff };

/** Decides what becomes of a contract that an administrator wrote. One that is as it was stays, whoever wrote it. */
export function planChange(
  wanted: WantedChange,
  live: (LiveCapability & { readonly contract: CapabilityContract }) | undefined,
): ChangePlan {
  const { manifest, schemaHash, replaces } = wanted;
  if (live === undefined) {
    return replaces === undefined
      ? { kind: 'save', result: 'created', contract: nextContract(wanted, live) }
      : { kind: 'refuse', message: 'The capability has no contract yet: leave schema_hash out' };
  }
  if (live.retired) return { kind: 'refuse', message: 'The contract is retired: use ":restore" first' };
  if (live.schemaHash === schemaHash) return { kind: 'keep', contract: live.contract };
  if (replaces !== undefined && replaces !== live.schemaHash) {
    const message = `The contract has changed: it has schema_hash "${live.schemaHash}" by now. Look at it first`;
    return { kind: 'refuse', message };
  }
  const diff = diffCapabilities(live.contract, manifest);
  if (diff.breaking && !wanted.allowsBreaking) return { kind: 'refuse', message: breakingMessage(diff), diff };
  return { kind: 'save', result: 'changed', contract: nextContract(wanted, live), diff };
}

function breakingMessage({ changes }: CapabilityDiff): string {
  const breaking = changes.filter(({ impact }) => impact === 'breaking');
  const named = breaking.slice(0, MAX_NAMED_CHANGES).map(({ path, reason }) => `${path}: ${reason}`);
  const more = breaking.length - named.length;
  const all = [...named, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
  return `The change breaks callers (${all}). Where that is meant, send it again with allow_breaking=true`;
}
