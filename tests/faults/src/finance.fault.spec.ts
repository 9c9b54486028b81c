import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callOnce, Load, pause, type LoadAccount } from './load.js';
import { HOOK_TIMEOUT_MS, Stand } from './stand.js';

const PROGRAM = fileURLToPath(new URL('../../../tools/finance-consumer/bin/finance-consumer.js', import.meta.url));
const CLIENTS = 6;
const ACCOUNTS = 3;
const CLIENT_PAUSE_MS = 40;
/** Calls that must have been charged before the consumer dies, and as many after it. */
const CALLS_AT_LEAST = 60;
const TIMEOUT_MS = 240_000;

interface Report {
  readonly gaps: { readonly first: readonly { readonly account_id: string }[] };
  readonly balance_differences: { readonly first: readonly { readonly account_id: string }[] };
}

describe('what finance reads from the topics of the real stack', () => {
  let stand: Stand;
  let folder: string;
  let consumer: ChildProcess | undefined;

  beforeAll(async () => {
    stand = await Stand.open();
    await stand.arrange();
    folder = await mkdtemp(join(tmpdir(), 'finance-'));
  }, HOOK_TIMEOUT_MS);

  afterAll(async () => {
    consumer?.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
    await stand.close();
  }, HOOK_TIMEOUT_MS);

  const run = (...more: string[]): ChildProcess => {
    const brokers = stand.stack.kafkaBrokers.join(',');
    const args = [
      'run',
      '--brokers',
      brokers,
      '--output',
      folder,
      '--segment-rows',
      '40',
      '--flush-interval-ms',
      '200',
    ];
    consumer = spawn(process.execPath, [PROGRAM, ...args, ...more], { stdio: ['ignore', 'pipe', 'inherit'] });
    return consumer;
  };
  const read = async <T>(child: ChildProcess): Promise<T> => {
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await once(child, 'close');
    return JSON.parse(output) as T;
  };
  const totalsOf = (accountId: string): Promise<Record<string, unknown>> => {
    const args = ['totals', '--output', folder, '--account', accountId];
    return read(spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'inherit'] }));
  };
  const files = (): number =>
    existsSync(join(folder, 'ledger-entries')) ? readdirSync(join(folder, 'ledger-entries')).length : 0;

  /** The same members of the summary that the API gives, amounts as the consumer writes them. */
  const summaryOf = async ({ key }: LoadAccount): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${stand.origin}/api/v1/auth/credits/ledger?summary=true&scope=all`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const body = (await answer.json()) as { data: { summary: Record<string, number> } };
    const { total_entries, consume_count, grant_count, consumed_credits, granted_credits, net_amount_credits } =
      body.data.summary;
    return {
      total_entries,
      consume_count,
      grant_count,
      consumed_credits: String(consumed_credits),
      granted_credits: String(granted_credits),
      net_amount_credits: String(net_amount_credits),
    };
  };

  it('adds up to the ledger summary of the API, also when the consumer was killed in the middle', async () => {
    const accounts = await stand.openAccounts(ACCOUNTS);
    const load = new Load(stand.origins, accounts, CLIENT_PAUSE_MS, callOnce);
    const calls = (): number => load.outcomes.filter(({ success }) => success === true).length;
    const until = async (done: () => boolean | Promise<boolean>): Promise<void> => {
      const deadline = performance.now() + TIMEOUT_MS;
      while (!(await done())) {
        if (performance.now() > deadline) throw new Error('what the test waits for has not come');
        await pause(50);
      }
    };
    load.start(CLIENTS);
    await until(() => calls() > CALLS_AT_LEAST);
    const killed = run();
    await until(() => files() > 4);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    await until(() => calls() > 2 * CALLS_AT_LEAST);
    await load.stop();
    const expected = calls();

    // The calls settle, and their entries reach the topic, a moment after they were answered.
    let summaries: Record<string, unknown>[] = [];
    await until(async () => {
      summaries = await Promise.all(accounts.map(summaryOf));
      return summaries.reduce((sum, { consume_count }) => sum + Number(consume_count), 0) >= expected;
    });
    let report: Report | undefined;
    const mine = new Set(accounts.map(({ accountId }) => accountId));
    const totals: Record<string, unknown>[] = [];
    await until(async () => {
      report = await read<Report>(run('--until-end'));
      totals.splice(0, Infinity, ...(await Promise.all(accounts.map(({ accountId }) => totalsOf(accountId)))));
      return (
        JSON.stringify(totals.map((one) => one['total_entries'])) ===
        JSON.stringify(summaries.map((one) => one['total_entries']))
      );
    });
    expect(totals.map(({ entry_types: _types, ...sums }) => sums)).toEqual(summaries);
    expect(report?.gaps.first.filter(({ account_id }) => mine.has(account_id))).toEqual([]);
    expect(report?.balance_differences.first.filter(({ account_id }) => mine.has(account_id))).toEqual([]);
  });
});
