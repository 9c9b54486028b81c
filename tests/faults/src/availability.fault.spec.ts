import { writeFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startPart } from '@capability-router/tools-stack';
import { expectAgreement, expectChargedOnce, recovered } from './aftermath.js';
import { Balancer } from './availability/balancer.js';
import { CLIENTS, type Fault, type Findings } from './availability/fault.js';
import { planOf } from './availability/plan.js';
import { isServedOrRefused, spendTheRest } from './availability/poor-accounts.js';
import { readersOf, unservedReads, type ReadOutcome } from './availability/reads.js';
import { reportOf, type PlayedFault } from './availability/report.js';
import { brokenPromises, isUnknown, seenByClients, type SeenCall } from './availability/seen-by-clients.js';
import { callOnce, Load, pause, type CallOutcome, type LoadAccount } from './load.js';
import { HOOK_TIMEOUT_MS, Stand } from './stand.js';

const ACCOUNTS = 8;
const CLIENT_PAUSE_MS = 60;
/** Clients that read beside the calls, where a fault concerns what they read. */
const READERS = 2;
/** Milliseconds of load before a fault and after it. */
const LOAD_MS = 1_500;
/** Longer than an execution of which nothing is known may still begin. */
const LOOK_UP_TIMEOUT_MS = 90_000;

type Outcome = CallOutcome & SeenCall;

/** Its answer tells no outcome, but the id to look it up by. */
const isLost = (outcome: Outcome): boolean => isUnknown(outcome) && outcome.executionId !== undefined;

describe('the real stack, as its clients see it while parts of it fail', () => {
  const startedAt = new Date();
  const plan = planOf(process.env);
  const played: PlayedFault[] = [];
  let booksAgree = false;
  let stand: Stand;
  let load: Load<Outcome> | undefined;
  let readers: Load<ReadOutcome> | undefined;
  let balancer: Balancer | undefined;

  beforeAll(async () => {
    stand = await Stand.open();
  }, HOOK_TIMEOUT_MS);

  afterEach(async () => {
    await Promise.all([load?.stop(), readers?.stop()]);
    await balancer?.close();
  });

  afterAll(async () => {
    await startPart(stand.stack.directory, 'postgres');
    await startPart(stand.stack.directory, 'kafka');
    await stand.close();
    const report = reportOf(played, { seed: plan.seed, startedAt, endedAt: new Date(), booksAgree });
    process.stdout.write(`${report}\n`);
    const file = process.env['TORTURE_REPORT'];
    if (file !== undefined) await writeFile(file, report);
  }, HOOK_TIMEOUT_MS);

  it(
    `keeps what is promised of each fault${plan.seed === undefined ? '' : `, seed ${plan.seed}`}`,
    async () => {
      const broken: string[] = [];
      for (const fault of plan.faults) {
        const { seen, outcomes, accounts, findings } = await play(fault);
        const ids = accounts.map(({ accountId }) => accountId);
        const brokenHere = [...brokenPromises(seen, fault.promised), ...findings.broken];
        const lookedUp = outcomes.filter(isLost).length;
        played.push({ name: fault.name, seen, lookedUp, notes: findings.notes, broken: brokenHere });
        broken.push(...brokenHere.map((what) => `${fault.name}: ${what}`));
        await recovered(stand.books, ids);
        if (fault.accounts !== undefined) {
          outcomes.push(...(await spendTheRest(accounts, stand.books, (account) => call(stand.origin, account))));
          await recovered(stand.books, ids);
        }
        await expectChargedOnce(stand.books, ids, outcomes);
        await lookUpAll(outcomes, accounts);
      }
      expect(broken).toEqual([]);
    },
    plan.limitMs,
  );

  it('leaves books that agree after all of it', async () => {
    await expectAgreement(stand);
    booksAgree = true;
  });

  async function play(fault: Fault) {
    await (fault.arrange?.(stand) ?? stand.arrange());
    const { count, credits } = fault.accounts ?? { count: ACCOUNTS };
    const accounts = await stand.openAccounts(count, credits);
    balancer = fault.balanced === true ? new Balancer(stand.origins) : undefined;
    const choose = (origin: string, turn: number): string => balancer?.choose(turn) ?? origin;
    load = new Load(stand.origins, accounts, CLIENT_PAUSE_MS, (origin, account, turn) =>
      call(choose(origin, turn), account),
    );
    load.start(CLIENTS);
    // The first calls after a pause may wait for a tool to be loaded, which is nothing that the fault costs.
    await load.more(2 * CLIENTS, isServedOrRefused);
    const { reads = [] } = fault;
    if (reads.length > 0) {
      // With an account of its own, since a search has its price.
      readers = readersOf(stand.origins, await stand.openAccounts(1), reads, choose);
      readers.start(READERS);
    }
    await pause(LOAD_MS);
    const before = load.outcomes.length;
    const findings: Findings = { notes: [], broken: [] };
    await fault.play(stand, findings);
    // Whatever failed, calls are served again by themselves.
    await load.more(2 * CLIENTS, isServedOrRefused);
    await pause(LOAD_MS);
    await Promise.all([load.stop(), readers?.stop()]);
    await balancer?.close();
    findings.broken.push(...unservedReads(reads, readers?.outcomes ?? []));
    readers = undefined;
    return { seen: seenByClients(load.outcomes.slice(before)), outcomes: [...load.outcomes], accounts, findings };
  }

  async function call(origin: string, account: LoadAccount): Promise<Outcome> {
    const beganMs = performance.now();
    const outcome = await callOnce(origin, account);
    return { ...outcome, tookMs: performance.now() - beganMs };
  }

  /** Every id of an answer that does not tell the outcome can be looked up, and comes to an end or was never run. */
  async function lookUpAll(outcomes: readonly Outcome[], accounts: readonly LoadAccount[]): Promise<void> {
    for (const { executionId = '', accountId } of outcomes.filter(isLost)) {
      const key = accounts.find((account) => account.accountId === accountId)?.key ?? '';
      const deadline = performance.now() + LOOK_UP_TIMEOUT_MS;
      for (;;) {
        const found = await lookUp(executionId, key);
        if (found === 'ended') break;
        if (performance.now() > deadline) expect([executionId, found]).toEqual([executionId, 'ended']);
        await pause(500);
      }
    }
  }

  async function lookUp(executionId: string, key: string): Promise<string> {
    const answer = await fetch(`${stand.origin}/api/v1/tools/executions/${executionId}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const body = (await answer.json()) as { code?: string; data?: { execution_state?: string } };
    if (answer.status === 404) return body.code === 'execution_never_ran' ? 'ended' : String(body.code);
    const state = body.data?.execution_state ?? `answered ${answer.status}`;
    return state === 'pending' || answer.status !== 200 ? state : 'ended';
  }
});
