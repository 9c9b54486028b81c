import { describe, expect, it } from '@jest/globals';
import { topicNames, type EventEnvelope } from '@capability-router/contracts';
import { readAfter } from '@capability-router/event-store';
import { untilReadable } from '@capability-router/event-store/testing';
import { ManualClock } from '@capability-router/kernel';
import type pg from 'pg';
import { expireGrants } from '../expiry/expire-grants.js';
import { checkAudit } from '../invariants/check-audit.js';
import { checkInvariants } from '../invariants/check-invariants.js';
import { readBooksSql } from '../test-support/account-model.js';
import { Histories } from '../test-support/histories.js';
import { unsoundLots } from '../test-support/published-lots.js';
import { SeededRandom, seedOfRun } from '../test-support/random.js';
import { createScratchDatabase, inTransaction } from '../test-support/scratch-database.js';
import { unsoundRevenue } from '../test-support/unsound-revenue.js';
import { unreadyAccounts } from '../test-support/unready-accounts.js';
import { projectUsage } from '../usage-audit/project-usage.js';
import { settleExecutions } from './settle-executions.js';

/** Each is one account. TEST_HISTORIES runs fewer or more. */
const HISTORIES = Number(process.env['TEST_HISTORIES'] ?? 400);
/** Where something has hardly happened, more follow, up to here. */
const MAX_HISTORIES = 2 * HISTORIES;
/** Accounts side by side in one database: what is checked after a round costs the same for one as for a thousand. */
const BLOCK = 1_000;
/** Commands of one history. */
const ROUNDS = 12;
/** Rounds after which all invariants are checked; the models are compared after every one. */
const CHECK_EVERY = 4;
/** Accounts whose commands run at the same time. */
const AT_ONCE = 8;
const EVENTS_PER_BATCH = 100;
const READ_PAGE = 1_000;
const HOUR_MS = 3_600_000;
/** How often at least each thing must happen in 10,000 histories; in fewer histories, fewer times. */
const FLOOR = 100;
const TIMEOUT_MS = 3_600_000;
const START_MS = Date.UTC(2026, 0, 30, 20);

class Crash extends Error {}

describe('histories of holds, captures, releases, refunds, grants and expiries', () => {
  it(
    'keep every invariant, with duplicates, reorderings and crashes between effect and offset',
    async () => {
      const random = new SeededRandom(seedOfRun());
      console.info(`TEST_SEED=${random.seed} TEST_HISTORIES=${HISTORIES}`);
      const seen: Record<string, number> = {};
      // Histories in which nothing happened prove nothing.
      const floor = Math.floor((FLOOR * HISTORIES) / 10_000);
      const rare = (): string[] => outcomes.filter((what) => (seen[what] ?? 0) < floor);
      for (let done = 0; done < HISTORIES || (done < MAX_HISTORIES && rare().length > 0);) {
        const size = Math.min(BLOCK, HISTORIES);
        const happened = await runBlock(random, size);
        for (const [what, count] of Object.entries(happened)) seen[what] = (seen[what] ?? 0) + count;
        done += size;
      }
      console.info(JSON.stringify(seen));
      expect(rare()).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

const outcomes = [
  ...['held', 'covered', 'insufficient_credits', 'twin holds'],
  ...['captured', 'released', 'coveredEnd', 'uncollected', 'swept', 'redelivered'],
  ...['refunds of the rest', 'refunds in part', 'refunds over several lots', 'refused refunds'],
  ...['grants', 'corrections that give', 'corrections that take', 'refused corrections'],
  ...['payments returned', 'refused payment refunds', 'imports', 'refused imports', 'commands replayed'],
  ...['lapsed with a hold', 'lapsed by the job', 'kept by holds'],
  ...['crashes before the commit', 'crashes after the commit', 'reordered batches'],
];

async function runBlock(random: SeededRandom, size: number): Promise<Record<string, number>> {
  const database = await createScratchDatabase(AT_ONCE + 2);
  const { pool } = database;
  try {
    const clock = new ManualClock(START_MS);
    const histories = new Histories(pool, random, clock);
    await histories.open(size);
    const facts: EventEnvelope[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      clock.advanceMs(random.integer(1, 10) * HOUR_MS);
      await eachAtOnce(histories.all, (history) => histories.step(history));
      const ended = histories.takeEnded();
      facts.push(...ended);
      await settle(pool, histories, shuffled(ended, random), random, clock);
      await expire(pool, histories, random, clock);
      await expectModels(pool, histories, round);
      if (round % CHECK_EVERY === 0)
        expect({ round, violations: await checkInvariants(pool) }).toEqual({ round, violations: [] });
    }
    await audit(pool, facts, random);
    expect(await unsoundLots(pool)).toEqual([]);
    expect(await unsoundRevenue(database.owner, ['2026-01', '2026-02'])).toEqual([]);
    expect(await checkAudit(pool)).toEqual([]);
    expect(await unreadyAccounts(pool)).toEqual({});
    return histories.seen;
  } finally {
    await database.drop();
  }
}

/** In any order and batches; some batches are lost before their commit, some are delivered again after it. */
async function settle(
  pool: pg.Pool,
  histories: Histories,
  events: readonly EventEnvelope[],
  random: SeededRandom,
  clock: ManualClock,
): Promise<void> {
  for (let from = 0; from < events.length;) {
    const batch = events.slice(from, from + random.integer(1, EVENTS_PER_BATCH));
    from += batch.length;
    histories.count('reordered batches');
    const fate = random.next();
    if (fate < 0.3) {
      // The effect is written, the process dies before the commit: neither effect nor offset remain.
      const lost = inTransaction(pool, async (tx) => {
        await settleExecutions(tx, batch, clock);
        throw new Crash();
      });
      await expect(lost).rejects.toThrow(Crash);
      histories.count('crashes before the commit');
    }
    await inTransaction(pool, (tx) => settleExecutions(tx, batch, clock));
    if (fate > 0.6) {
      // The effect is committed and the broker does not know: it delivers the batch, and more, again; another replica too.
      const again = shuffled(events.slice(Math.max(0, from - EVENTS_PER_BATCH), from), random);
      const replicas = [again, batch].map((sent) => inTransaction(pool, (tx) => settleExecutions(tx, sent, clock)));
      await Promise.all(replicas);
      histories.count('crashes after the commit');
    }
  }
}

/** The job, in most rounds; two replicas of it at once. */
async function expire(pool: pg.Pool, histories: Histories, random: SeededRandom, clock: ManualClock): Promise<void> {
  if (random.next() < 0.3) return;
  await Promise.all([expireGrants(pool, clock), expireGrants(pool, clock)]);
  const nowMs = clock.nowMs();
  for (const { model } of histories.all) {
    if (model.lapse(nowMs, model.available) > 0n) histories.count('lapsed by the job');
    const kept = model.lots.some((lot) => lot.remaining > 0n && lot.expiresAtMs !== null && lot.expiresAtMs <= nowMs);
    if (kept) histories.count('kept by holds');
  }
}

async function expectModels(pool: pg.Pool, histories: Histories, round: number): Promise<void> {
  const { rows } = await pool.query<{ account_id: string; books: string }>(readBooksSql);
  const books = new Map(rows.map((row) => [row.account_id, row.books]));
  const differing = histories.all.filter(({ accountId, model }) => books.get(accountId) !== model.describe());
  const examples = differing.slice(0, 3).map(({ accountId, model }) => ({
    accountId,
    books: books.get(accountId),
    model: model.describe(),
  }));
  expect({ round, examples }).toEqual({ round, examples: [] });
}

/** Facts, settlements and refunds reach the audit in any order, each of them once or twice. */
async function audit(pool: pg.Pool, facts: readonly EventEnvelope[], random: SeededRandom): Promise<void> {
  await untilReadable(pool);
  // The first end of an execution is its end; what came later under the same id was made up.
  const first = new Map([...facts].reverse().map((fact) => [fact.data['executionId'] ?? fact.data['searchId'], fact]));
  const events: EventEnvelope[] = [...first.values()];
  for (let position = ''; ;) {
    const page = await readAfter(pool, position, READ_PAGE, [topicNames.usageSettlements, topicNames.usageRecords]);
    if (page.events.length === 0) break;
    events.push(...page.events);
    position = page.position;
  }
  const delivered = shuffled([...events, ...events.filter(() => random.next() < 0.1)], random);
  for (let from = 0; from < delivered.length; from += EVENTS_PER_BATCH) {
    await inTransaction(pool, (tx) => projectUsage(tx, delivered.slice(from, from + EVENTS_PER_BATCH)));
  }
}

function shuffled<T>(items: readonly T[], random: SeededRandom): T[] {
  const result = [...items];
  for (let last = result.length - 1; last > 0; last -= 1) {
    const other = random.integer(0, last);
    [result[last], result[other]] = [result[other] as T, result[last] as T];
  }
  return result;
}

async function eachAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const worker = async (): Promise<void> => {
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
