import type { ToolVerification } from '@capability-router/contracts';
import { txOrderSql } from '@capability-router/event-store';
import type { JsonObject } from '@capability-router/kernel';
import type pg from 'pg';

/** Seconds after which a run is given up for dead: its examples may take a hundred seconds each. */
const CLAIM_SECONDS = 600;

/** The facts about earlier runs that a run needs. */
export interface ClaimedVerification {
  /** Runs in a row that did not verify the tool. */
  readonly failures: number;
  /** The schema of results, and the version that they are of. */
  readonly observed: { readonly version: number; readonly schema: JsonObject } | null;
}

const claimSql = `
INSERT INTO tool_verifications AS v (tool_id, tried_version, claim_id, claimed_until, next_due_at, change_order)
VALUES ($1, $2, $3, now() + make_interval(secs => $4), now() + make_interval(secs => $4), ${txOrderSql()})
ON CONFLICT (tool_id) DO UPDATE SET requested = false, tried_version = excluded.tried_version,
  claim_id = excluded.claim_id, claimed_until = excluded.claimed_until, next_due_at = excluded.next_due_at,
  change_order = ${txOrderSql('v.change_order')}
WHERE (v.claimed_until IS NULL OR v.claimed_until < now())
  AND (v.requested OR v.tried_version IS DISTINCT FROM excluded.tried_version OR v.next_due_at IS NULL OR v.next_due_at <= now())
RETURNING failures, observed`;

/** One replica at a time has a tool; undefined where another has it, or had it since this one looked. */
export async function claimVerification(
  pool: pg.Pool,
  claim: { readonly toolId: string; readonly toolVersion: number; readonly claimId: string },
): Promise<ClaimedVerification | undefined> {
  const values = [claim.toolId, claim.toolVersion, claim.claimId, CLAIM_SECONDS];
  return (await pool.query<ClaimedVerification>(claimSql, values)).rows[0];
}

export interface EndedRun {
  readonly toolId: string;
  readonly claimId: string;
  /** Milliseconds until the next. */
  readonly nextAfterMs: number;
  readonly failures: number;
  /** Why nothing was judged; absent where something was. At most 500 characters. */
  readonly problem?: string;
  readonly verdict?: ToolVerification;
  readonly evidence?: object;
  readonly observed?: { readonly version: number; readonly schema: JsonObject };
}

const endSql = `
UPDATE tool_verifications v SET claim_id = NULL, claimed_until = NULL, failures = $3, problem = $4,
       next_due_at = now() + $5 * interval '1 millisecond', verdict = coalesce($6::json, verdict),
       evidence = coalesce($7::json, evidence), observed = coalesce($8::json, observed),
       change_order = ${txOrderSql('v.change_order')}
 WHERE tool_id = $1 AND claim_id = $2`;

/** False where the run was given up for dead: another may be at the tool, and what this one found is dropped. */
export async function endVerification(tx: pg.ClientBase, run: EndedRun): Promise<boolean> {
  const { toolId, claimId, failures, problem, nextAfterMs, verdict, evidence, observed } = run;
  const json = [verdict, evidence, observed].map((value) => (value === undefined ? null : JSON.stringify(value)));
  const values = [toolId, claimId, failures, problem ?? null, nextAfterMs, ...json];
  return (await tx.query(endSql, values)).rowCount === 1;
}

const requestSql = `
INSERT INTO tool_verifications AS v (tool_id, requested, change_order) VALUES ($1, true, ${txOrderSql()})
ON CONFLICT (tool_id) DO UPDATE SET requested = true, change_order = ${txOrderSql('v.change_order')}`;

/** The tool is verified as soon as somebody gets to it, whether it is due or not. */
export async function requestVerification(pool: pg.Pool, toolId: string): Promise<void> {
  await pool.query(requestSql, [toolId]);
}

/** A row without its evidence, as a replica's copy reads it. */
export interface VerificationRow {
  readonly tool_id: string;
  readonly requested: boolean;
  readonly tried_version: number | null;
  readonly claimed_until: Date | null;
  readonly next_due_at: Date | null;
  readonly verdict: ToolVerification | null;
  /** Why the last run judged nothing. */
  readonly problem: string | null;
}

export const verificationRows = {
  table: 'tool_verifications',
  key: 'tool_id',
  columns: ['tool_id', 'requested', 'tried_version', 'claimed_until', 'next_due_at', 'verdict', 'problem'],
};

export interface StoredVerification extends VerificationRow {
  readonly failures: number;
  readonly evidence: JsonObject | null;
}

/** Everything that is kept of a tool. */
export async function findVerification(pool: pg.Pool, toolId: string): Promise<StoredVerification | undefined> {
  const { rows } = await pool.query<StoredVerification>(
    `SELECT ${verificationRows.columns.join(', ')}, failures, evidence FROM tool_verifications WHERE tool_id = $1`,
    [toolId],
  );
  return rows[0];
}
