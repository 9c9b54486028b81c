import { txOrderSql, type Queryable } from '@capability-router/event-store';
import { toIso } from '@capability-router/kernel';
import type { OpenBreaker } from './domain/breaker.js';
import type { Counted, Evidence } from './domain/evidence.js';

/** A row without the calls that were counted last, which only who counts looks at. */
export interface CountedRow {
  readonly subject: string;
  readonly successes: number;
  readonly failures: number;
  readonly latencies: readonly number[];
  readonly as_of: Date;
  readonly failures_in_row: number;
  readonly failing_account: string | null;
  readonly open_breaker: OpenBreaker | null;
}

interface EvidenceRow extends CountedRow {
  readonly recent: readonly string[];
}

/** As a replica's copy reads it. */
export const countedRows = {
  table: 'evidence',
  key: 'subject',
  columns: [
    'subject',
    'successes',
    'failures',
    'latencies',
    'as_of',
    'failures_in_row',
    'failing_account',
    'open_breaker',
  ],
};

export const countedOf = (row: CountedRow): Counted => ({
  successes: row.successes,
  failures: row.failures,
  latencies: row.latencies,
  asOfMs: row.as_of.getTime(),
  breaker: {
    failuresInRow: row.failures_in_row,
    ...(row.failing_account === null ? {} : { failingAccount: row.failing_account }),
    ...(row.open_breaker === null ? {} : { open: row.open_breaker }),
  },
});

const lockSql = `
SELECT subject, successes, failures, latencies, as_of, failures_in_row, failing_account, open_breaker, recent
  FROM evidence WHERE subject = ANY($1::text[]) ORDER BY subject FOR UPDATE`;

/** Reads the evidence about these subjects, and locks it in their order until the end of the transaction. */
export async function lockEvidence(tx: Queryable, subjects: readonly string[]): Promise<Map<string, Evidence>> {
  const { rows } = await tx.query<EvidenceRow>(lockSql, [subjects]);
  return new Map(rows.map((row) => [row.subject, { ...countedOf(row), recent: row.recent }]));
}

const beginSql = `
INSERT INTO evidence (subject, as_of) SELECT subject, 'epoch' FROM unnest($1::text[]) AS subject ORDER BY subject
ON CONFLICT (subject) DO NOTHING`;

/** So that each subject has a row that can be locked. */
export async function beginEvidence(tx: Queryable, subjects: readonly string[]): Promise<void> {
  await tx.query(beginSql, [subjects]);
}

const saveSql = `
UPDATE evidence SET successes = i.successes, failures = i.failures, latencies = i.latencies, as_of = i.as_of,
       failures_in_row = i.failures_in_row, failing_account = i.failing_account, open_breaker = i.open_breaker, recent = i.recent, change_order = ${txOrderSql('evidence.change_order')}
  FROM jsonb_to_recordset($1::jsonb) AS i(subject text, successes double precision, failures double precision,
       latencies double precision[], as_of timestamptz, failures_in_row int, failing_account text, open_breaker jsonb, recent text[])
 WHERE evidence.subject = i.subject`;

/** Writes the evidence of locked subjects. */
export async function saveEvidence(tx: Queryable, evidence: ReadonlyMap<string, Evidence>): Promise<void> {
  const rows = [...evidence].map(([subject, { asOfMs, breaker, ...rest }]) => ({
    subject,
    ...rest,
    as_of: toIso(asOfMs),
    failures_in_row: breaker.failuresInRow,
    failing_account: breaker.failingAccount,
    open_breaker: breaker.open,
  }));
  await tx.query(saveSql, [JSON.stringify(rows)]);
}

/** Before every event is handled again, of which it is made anew. The services are stopped. */
export async function forgetEvidence(db: Queryable): Promise<void> {
  await db.query('DELETE FROM evidence');
}
