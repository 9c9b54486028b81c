import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { workspaceRoot } from '@capability-router/tools-stack';
import pg from 'pg';
import { openAccounts, type LoadAccount } from '../load.js';
import type { Stand } from '../stand.js';

const CREDITS = 1_000_000;
const FOUND_WITHIN_MS = 30_000;
const POLL_MS = 250;

/** A session of billing's owner, as somebody who works on the database by hand has one. */
export class BillingSession {
  private constructor(private readonly client: pg.Client) {}

  static async open(stand: Stand): Promise<BillingSession> {
    const client = new pg.Client({ connectionString: stand.stack.databases.billing.ownerUrl });
    // It may be ended by another.
    client.on('error', () => undefined);
    await client.connect();
    return new BillingSession(client);
  }

  async run(sql: string, values: readonly unknown[] = []): Promise<pg.QueryResultRow[]> {
    return (await this.client.query<pg.QueryResultRow>(sql, [...values])).rows;
  }

  async close(): Promise<void> {
    await this.client.end();
  }
}

/** An account whose books the test breaks: it is not among those of the stand, which have to agree. */
export async function openVictim(stand: Stand): Promise<LoadAccount> {
  const [account] = await openAccounts(stand.origin, stand.services.accounts.admin_key, 1, CREDITS);
  if (account === undefined) throw new Error('no account was opened');
  return account;
}

/** A session with a transaction in which no replica of billing settles anything until it is closed. */
export async function lockSettlement(stand: Stand): Promise<BillingSession> {
  const session = await BillingSession.open(stand);
  await session.run('BEGIN');
  await session.run(`SELECT FROM consumer_positions WHERE consumer_group = 'billing.settlement' FOR UPDATE`);
  return session;
}

/** Ends what has a transaction open that nobody ends, found by the statement of the runbook as it stands there. */
export async function endForgottenSessions(stand: Stand, runbook: string): Promise<void> {
  const statement = statementOf(runbook);
  const session = await BillingSession.open(stand);
  const deadline = performance.now() + FOUND_WITHIN_MS;
  for (;;) {
    // A session that does some work is let end.
    const forgotten = (await session.run(statement)).filter(({ state }) => state === 'idle in transaction');
    for (const { pid } of forgotten) await session.run('SELECT pg_terminate_backend($1)', [pid]);
    if (forgotten.length > 0) return session.close();
    if (performance.now() > deadline) throw new Error('there is no transaction that is old');
    await pause(POLL_MS);
  }
}

function statementOf(runbook: string): string {
  const page = readFileSync(join(workspaceRoot, `docs/runbooks/${runbook}.md`), 'utf8');
  const statement = /psql "\$BILLING_DATABASE_OWNER_URL" -c "(SELECT [^"]*xact_start[^"]*)"/.exec(page)?.[1];
  if (statement === undefined) throw new Error(`${runbook} has no statement that finds old transactions`);
  return statement;
}
