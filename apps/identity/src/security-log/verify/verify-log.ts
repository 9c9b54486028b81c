import { inTransaction } from '@capability-router/service-kit';
import type pg from 'pg';
import { followChains, type Finding, type Place } from './verify-chains.js';
import { headsBetween, nextEntries } from './verify-chains.sql.js';

/** Entries that one look follows. */
const MAX_ENTRIES = 10_000;
/** Findings that one look tells. */
const MAX_FINDINGS = 100;

export interface VerifiedPart {
  readonly entries: number;
  readonly findings: readonly Finding[];
  /** Where to go on; absent at the end. */
  readonly next?: Place;
}

/**
 * Verifies the log behind a place, one chain alone or all of them, at one point in time. What is appended meanwhile is for
 * the next look. Whoever may write as the owner of the database can take the end of a chain and its head together: a copy
 * of the public topic shows that.
 */
export function verifyLog(
  pool: pg.Pool,
  from: Place,
  only: string | undefined,
  limit = MAX_ENTRIES,
): Promise<VerifiedPart> {
  return inTransaction(
    pool,
    async (tx) => {
      const rows = await nextEntries(tx, from, only, limit + 1);
      const isLast = rows.length <= limit;
      const { findings, ends, last } = followChains(rows.slice(0, limit), from);
      // The chain at which this look ends may go on, unless there is nothing more; its head is for the look that ends it.
      const heads = await headsBetween(tx, from.chain, isLast ? undefined : last.chain, only);
      const started = from.chain === '' ? [] : await headsBetween(tx, '', undefined, from.chain);
      for (const { chain, entrySeq, lastHash } of [...started, ...heads]) {
        if (!isLast && chain === last.chain) continue;
        const end = ends.get(chain);
        if (String(end?.entrySeq ?? 0) === entrySeq && (end === undefined || end.hash === lastHash)) continue;
        findings.push({ kind: 'head', chain, entrySeq: Number(entrySeq), entryId: null });
      }
      return {
        entries: Math.min(rows.length, limit),
        findings: findings.slice(0, MAX_FINDINGS),
        ...(isLast ? {} : { next: last }),
      };
    },
    { isolation: 'snapshot', readOnly: true },
  );
}
