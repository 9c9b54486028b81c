/** @long-run Kafka Connect and its sink are 150 MB from Maven Central, and start twice. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { workspaceRoot } from '@capability-router/tools-stack';
import { expectAgreement, recovered } from './aftermath.js';
import { caprouter } from './caprouter.js';
import { ComparedTables } from './connect/compared-tables.js';
import { ConnectWorker } from './connect/connect-worker.js';
import { FinanceDatabase } from './connect/finance-database.js';
import { readConnectGuide, type ConnectGuide } from './connect/guide.js';
import { MoneyMovements, type Movement } from './connect/money-movements.js';
import { creditsOf, moneyDifferences, type ToldRevenue } from './connect/told-revenue.js';
import { callOnce, Load, pause, type CallOutcome } from './load.js';
import { HOOK_TIMEOUT_MS, Stand } from './stand.js';

const run = promisify(execFile);
const CLIENTS = 6;
const ACCOUNTS = 4;
/** Milliseconds between two calls of a client, and between two commands of an administrator. */
const CALL_PAUSE_MS = 40;
const COMMAND_PAUSE_MS = 150;
/** Calls and commands that are done between two steps, at least. */
const CALLS_BETWEEN = 150;
const COMMANDS_BETWEEN = 15;
/** Grants that end during the test are booked as expired soon. */
const EXPIRY = { GRANT_EXPIRY_INTERVAL_MS: '500' };
const WAIT_MS = 180_000;
const POLL_MS = 500;
const TIMEOUT_MS = 900_000;
/** Each of the entries that an administrator causes, and the charge. */
const ENTRY_TYPES = [
  'consume_correction',
  'consume_grant_expiry',
  'consume_payment_refund',
  'consume_tool_execute',
  'grant_charge_refund',
  'grant_payment_recharge',
];

/** docs/guides/finance.md, with its commands, the connectors and the statements as they ship. */
describe('the database of finance, behind a worker of Kafka Connect', () => {
  let stand: Stand;
  let guide: ConnectGuide;
  let finance: FinanceDatabase;
  let tables: ComparedTables;
  let worker: ConnectWorker;
  let calls: Load<CallOutcome> | undefined;
  let commands: Load<Movement> | undefined;

  beforeAll(async () => {
    stand = await Stand.alone();
    await stand.arrange({ 'billing 0': EXPIRY, 'billing 1': EXPIRY });
    guide = await readConnectGuide();
    finance = await FinanceDatabase.create(stand.stack);
    tables = new ComparedTables(stand.stack, finance);
    worker = await ConnectWorker.prepare({
      brokers: stand.stack.kafkaBrokers,
      settings: guide.workerSettings,
      env: finance.environment,
    });
    await worker.start();
  }, HOOK_TIMEOUT_MS);

  afterEach(() => Promise.all([calls?.stop(), commands?.stop()]));

  afterAll(async () => {
    await worker.stop();
    await Promise.all([tables.close(), finance.close()]);
    await stand.close();
  }, HOOK_TIMEOUT_MS);

  it(
    'is the ledger to the micro-credit, each entry once, also where the worker was killed under load, and tells the same revenue',
    async () => {
      const accounts = await stand.openAccounts(ACCOUNTS);
      const { outcomes } = (calls = new Load(stand.origins, accounts, CALL_PAUSE_MS, callOnce));
      const movements = new MoneyMovements(stand.services.accounts.admin_key, outcomes);
      commands = new Load(stand.origins, accounts, COMMAND_PAUSE_MS, movements.next);
      const goOn = () => Promise.all([calls?.more(CALLS_BETWEEN, isServed), commands?.more(COMMANDS_BETWEEN, isDone)]);
      calls.start(CLIENTS);
      commands.start(1);
      await goOn();
      await followed(guide.install);
      await until('every table to be filled', async () => (await filled()).every(({ rows }) => rows > 0));
      await goOn();

      await worker.kill();
      await goOn();
      expect(await tables.differences()).not.toEqual([]);
      await worker.start();
      await goOn();
      await Promise.all([calls.stop(), commands.stop()]);

      const ids = accounts.map(({ accountId }) => accountId);
      await recovered(stand.books, ids);
      await until('what ended to expire', async () => (await tables.grantsToExpire()) === 0);
      await caughtUp();
      // Rows that were written and not noted as read came again.
      await until('rows that were written again', async () => (await filled()).every(({ again }) => again > 0));
      expect(await tables.differences()).toEqual([]);
      expect([...(await tables.entryTypes()).keys()]).toEqual(expect.arrayContaining(ENTRY_TYPES));
      for (const query of guide.completeness) expect(await finance.rows(query)).toEqual([]);

      const month = new Date().toISOString().slice(0, 7);
      const gateway = { CAPROUTER_GATEWAY_URL: stand.origin, CAPROUTER_API_KEY: stand.services.accounts.admin_key };
      const told = (await caprouter(['finance', 'revenue', '--month', month], gateway)) as unknown as ToldRevenue;
      const rows = await finance.revenue(month);
      expect(creditsOf(rows)).toEqual(told.credits);
      expect(Object.keys(told.money).sort()).toEqual(['EUR', 'JPY']);
      expect(moneyDifferences(rows, told)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'is mended by the topics, where rows are not as they were published',
    async () => {
      await finance.rows(`UPDATE ledger_entries SET created_at = created_at - interval '330 minutes', lots = NULL`);
      await finance.rows('UPDATE usage_settlements SET settled_micro_credits = 0');
      await finance.rows('UPDATE balances SET balance_micro_credits = 0');
      await followed(guide.readAgain);
      await caughtUp();
    },
    TIMEOUT_MS,
  );

  it('leaves books that agree after all of it', () => expectAgreement(stand));

  /** Runs a command of the guide. */
  async function followed(command: string): Promise<void> {
    const env = { ...process.env, FINANCE_DATABASE: finance.url, CONNECT: worker.origin };
    await run('/bin/sh', ['-e', '-c', command], { cwd: workspaceRoot, env, timeout: WAIT_MS });
  }

  /** Rows of each table, and how many of its rows were written again. */
  function filled(): Promise<{ readonly rows: number; readonly again: number }[]> {
    const tuples = 'SELECT n_tup_ins::int AS rows, n_tup_upd::int AS again FROM pg_stat_user_tables ORDER BY relname';
    return finance.rows(tuples);
  }

  async function caughtUp(): Promise<void> {
    const deadline = performance.now() + WAIT_MS;
    for (;;) {
      const [differences, failed] = await Promise.all([tables.differences(), worker.failed()]);
      if (differences.length === 0) return;
      if (failed.length > 0 || performance.now() > deadline) {
        expect({ failed, differences }).toEqual({ failed: [], differences: [] });
      }
      await pause(POLL_MS);
    }
  }

  async function until(what: string, done: () => Promise<boolean>): Promise<void> {
    const deadline = performance.now() + WAIT_MS;
    while (!(await done())) {
      const failed = await worker.failed();
      if (failed.length > 0) throw new Error(`waited for ${what}, but a connector failed: ${failed.join('\n')}`);
      if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`);
      await pause(POLL_MS);
    }
  }
});

const isServed = ({ success }: CallOutcome): boolean => success === true;
const isDone = ({ status }: Movement): boolean => status === 201;
