import { describe, expect, it } from '@jest/globals';
import type { AccountAssertion, PriceRule } from '@capability-router/contracts';
import { newAccountId, newExecutionId, type Credits, type JsonObject } from '@capability-router/kernel';
import { billResult } from '@capability-router/tool-calls';
import { SeededRandom, seedOfRun } from '../../test-support/random.js';
import { toolContract } from '../../test-support/tool-contract.js';
import { VirtualTime } from '../../test-support/virtual-time.js';
import { planOf, withoutDearest, type Attempt, type Candidate, type Plan } from '../admission/domain/plan.js';
import { MAX_CALL_DEADLINE_MS } from './deadlines.js';
import type { Came } from '../outcome/domain/came.js';
import { MIN_ATTEMPT_MS, tryInTurn } from './try-in-turn.js';
import type { Skipped } from '../request/domain/call.js';
import type { Tried } from './tried.js';

const PLANS = 100_000;
const MAX_ATTEMPTS = 6;
const random = new SeededRandom(seedOfRun());

const executionId = newExecutionId(1);
const assertion: AccountAssertion = {
  accountId: newAccountId(1),
  accountKind: 'formal',
  credentialType: 'api_key',
  scopes: [],
};

/** Micro-credits; small, so that prices, limits and balances meet. */
const amount = (): bigint => BigInt(random.below(12));

function anyRule(): PriceRule {
  const price = { amountMicroCredits: amount().toString(), unitLabel: 'row' };
  const metering = random.pick<PriceRule['metering']>([
    { kind: 'call' },
    { kind: 'result_rows', path: 'rows', maxUnits: 1 + random.below(4) },
    { kind: 'parameter_units', parameter: 'limit', defaultUnits: 1, maxUnits: 5 },
  ]);
  return { ...price, metering, ...(random.below(3) === 0 ? { minimumMicroCredits: amount().toString() } : {}) };
}

/** The mark of an attempt that is not a Call's. */
const anyResult = { mapping: undefined, fields: {} };

function anyCandidate(position: number): Candidate {
  const tool = toolContract({ price: anyRule(), timeoutMs: 1 + random.below(4_000) });
  const parameters: JsonObject = random.below(2) === 0 ? {} : { limit: random.below(7) };
  const usual = random.below(3) === 0 ? {} : { expectedMs: random.below(random.pick([200, 3_000])) };
  return { position, tool, parameters, ...usual, ...(random.below(2) === 0 ? {} : { result: anyResult }) };
}

const neededMs = ({ tool, expectedMs = MIN_ATTEMPT_MS }: Attempt): number =>
  Math.min(tool.timeoutMs, Math.max(1, expectedMs));

interface Turn {
  readonly attempt: Attempt;
  readonly leftMs: number;
  readonly deadlineMs: number;
  readonly came: Came;
  readonly begunMs: number;
  /** The places of its begin and end among all begins and ends; it has no end where it was given up. */
  readonly begun: number;
  ended?: number;
}

/** A plan that was run by providers that answer anything, at any time within what they were given. */
interface Run {
  readonly plan: Plan;
  readonly turns: readonly Turn[];
  readonly skipped: ReadonlyMap<number, Skipped>;
  readonly ended: Tried<undefined> | undefined;
  readonly abandoned: Attempt | undefined;
  readonly charged: bigint;
  /** The execution was not ended elsewhere while it ran. */
  readonly isOurs: boolean;
  /** The attempts whose tools were retired while it ran. */
  readonly gone: ReadonlySet<Attempt>;
}

/** The longest attempts use up all that they were given, since what they leave to others is what is looked at. */
const takenMs = (deadlineMs: number): number => (random.below(2) === 0 ? deadlineMs : random.below(deadlineMs + 1));

async function run(plan: Plan): Promise<Run> {
  const turns: Turn[] = [];
  const time = new VirtualTime(random.below(500));
  let marks = 0;
  const leftMs = (): number => plan.deadlineMs - time.nowMs;
  let isOurs = true;
  const mayGoOn = (): Promise<boolean> => {
    isOurs &&= random.below(20) > 0;
    return Promise.resolve(isOurs);
  };
  const gone = new Set<Attempt>();
  const whyGone = (attempt: Attempt): Skipped | undefined => {
    if (random.below(20) === 0) gone.add(attempt);
    return gone.has(attempt) ? { reason: 'unavailable' } : undefined;
  };
  const runOne = async (attempt: Attempt, deadlineMs: number, signal?: AbortSignal): Promise<Tried<undefined>> => {
    must(isOurs, 'nothing begins once the execution has ended elsewhere');
    must(!gone.has(attempt), 'nothing is sent to a tool that is gone');
    const came = random.pick<Came>(['served', 'failed', 'failed', 'uncertain', 'uncertain', 'not_sent', 'broken']);
    const turn: Turn = { attempt, leftMs: leftMs(), deadlineMs, came, begunMs: time.nowMs, begun: marks++ };
    turns.push(turn);
    // Some providers cannot be told that nobody waits for them any more.
    const heard = random.below(2) === 0 ? undefined : signal;
    await time.after(came === 'not_sent' ? 0 : takenMs(deadlineMs), heard);
    if (signal?.aborted !== true) turn.ended = marks++;
    return { attempt, came, value: undefined };
  };
  const after = (ms: number, signal: AbortSignal): Promise<void> => time.after(ms, signal);
  const takeHedge = (): boolean => random.below(8) > 0;
  const ran = tryInTurn(plan, { leftMs, mayGoOn, whyGone, takeHedge, after, run: runOne });
  const { ended, skipped, abandoned, tried } = await time.until(ran);
  must(tried.filter(({ came }) => came === 'served').length <= 1, 'one attempt serves at most');
  must(tried.length + (abandoned === undefined ? 0 : 1) === turns.length, 'what began has ended, or was given up');
  return { plan, turns, skipped, ended, abandoned, charged: chargeOf(ended), isOurs, gone };
}

function chargeOf(ended: Tried<undefined> | undefined): bigint {
  if (ended?.came !== 'served') return 0n;
  const { tool, parameters } = ended.attempt;
  const data = { rows: Array.from({ length: random.below(9) }, () => 1) };
  return billResult(tool.price, parameters, { data, sizeBytes: 1, fromCache: false }).amount;
}

describe('any plan of attempts', () => {
  it(`holds and charges no more than it may, once, within its deadline, and sends nothing twice (TEST_SEED=${random.seed})`, async () => {
    const seen = { plans: 0, shared: 0, charged: 0, hedged: 0, abandoned: 0 };
    for (let round = 0; round < PLANS; round += 1) {
      const candidates = Array.from({ length: 1 + random.below(MAX_ATTEMPTS) }, (_one, position) =>
        anyCandidate(position),
      );
      const maxCost = random.below(2) === 0 ? undefined : (amount() as Credits);
      const repeatable = random.below(2) === 0;
      const deadlineMs = random.below(20) === 0 ? 10 * MAX_CALL_DEADLINE_MS : random.below(9_000) - 100;
      const hedged = random.below(4) > 0;
      const limits = { deadlineMs, repeatable, hedged, ...(maxCost === undefined ? {} : { maxCost }) };
      const planned = planOf({ executionId, assertion, partial: {} }, candidates, limits);
      // The most that billing holds.
      const most = (amount() + (random.below(2) === 0 ? 0n : 20n)) as Credits;
      const plan = affordable(planned, most);
      if (plan === undefined) continue;
      const story = await run(plan);
      try {
        keepsItsBounds(story, maxCost, most);
      } catch (cause) {
        throw new Error(`TEST_SEED=${random.seed}, round ${round}`, { cause });
      }
      seen.plans += 1;
      if (leavesTime(story)) seen.shared += 1;
      if (story.charged > 0n) seen.charged += 1;
      if (overlap(story)) seen.hedged += 1;
      if (story.abandoned !== undefined) seen.abandoned += 1;
    }
    // A generator that has come to make dull plans would hold nothing to anything.
    expect(seen.plans).toBeGreaterThan(PLANS / 4);
    expect(seen.shared).toBeGreaterThan(PLANS / 100);
    expect(seen.charged).toBeGreaterThan(PLANS / 100);
    expect(seen.hedged).toBeGreaterThan(PLANS / 500);
    expect(seen.abandoned).toBeGreaterThan(PLANS / 2_000);
  });
});

/** The plan that is held for in the end, as `BeginExecution` comes to it: no attempt that could be paid for is left out. */
function affordable(planned: Plan | undefined, most: Credits): Plan | undefined {
  let plan = planned;
  while (plan !== undefined && plan.bound > most) plan = withoutDearest(plan);
  const payable = planned?.attempts.filter(({ bound }) => bound <= most).length ?? 0;
  must((plan?.attempts.length ?? 0) === payable, 'what can be paid for is in the plan');
  return plan;
}

/** The attempts of which two ran at once. */
const overlap = ({ turns: [first, second] }: Run): boolean =>
  first !== undefined && second !== undefined && second.begun < (first.ended ?? Infinity);

/** Two attempts run at once only where both are paid for, nothing can come of it twice, and the first is slow. */
function keepsHedges(story: Run): void {
  const { plan, turns, abandoned, ended } = story;
  for (const [index, { begun }] of turns.entries()) {
    const running = turns.filter((one) => one.begun <= begun && (one.ended ?? Infinity) > begun);
    must(running.length <= (index === 1 && plan.hedgeAfterMs !== undefined ? 2 : 1), 'one is hedged at most');
  }
  if (overlap(story)) {
    const [first, second] = turns;
    const both = plan.attempts[0].bound + (plan.attempts[1]?.bound ?? 0n);
    must(plan.repeatable && both <= plan.bound, 'what is held covers both');
    const alone = (second?.begunMs ?? 0) - (first?.begunMs ?? 0);
    must(alone >= (plan.hedgeAfterMs ?? Infinity), 'the first has its usual time alone');
  }
  must(abandoned === undefined || (overlap(story) && ended?.came === 'served'), 'only who is beaten is given up');
}

function keepsItsBounds(story: Run, maxCost: Credits | undefined, most: Credits): void {
  const { plan, turns, ended, skipped, charged } = story;
  must(plan.deadlineMs >= 1 && plan.deadlineMs <= MAX_CALL_DEADLINE_MS, 'the deadline is within its bounds');
  must(maxCost === undefined || plan.bound <= maxCost, 'no more is held than the execution may cost');
  must(plan.bound <= most, 'no more is held than there is');
  for (const attempt of plan.attempts) {
    must(attempt.bound <= plan.bound, 'what is held covers every attempt');
    must(attempt.facts.holdMicroCredits === plan.bound.toString(), 'the end says what was held');
  }
  must(charged <= plan.bound, 'no more is charged than was held');
  keepsHedges(story);
  must(turns.length + skipped.size === plan.attempts.length, 'of every attempt it is known what became of it');
  const positions = turns.map(({ attempt }) => attempt.position);
  must(
    positions.every((position, index) => position > (positions[index - 1] ?? -1)),
    'attempts begin in order, once',
  );
  for (const [index, { attempt, leftMs, deadlineMs, came, ended }] of turns.entries()) {
    const isOfCall = plan.attempts.length === 1 && attempt.result === undefined;
    must(deadlineMs >= 1 && deadlineMs <= Math.max(1, Math.min(leftMs, attempt.tool.timeoutMs)), 'it ends in time');
    must(isOfCall || deadlineMs >= neededMs(attempt), 'what begins has the time that it needs');
    const later = turns.slice(index + 1).filter(({ begun }) => ended !== undefined && begun > ended);
    must(later.length === 0 || (came !== 'served' && came !== 'broken'), 'nothing begins after an end');
    must(later.length === 0 || came !== 'uncertain' || plan.repeatable, 'nothing is sent twice');
  }
  const served = turns.find(({ came, ended: at }) => came === 'served' && at !== undefined);
  must(served === undefined || ended?.attempt === served.attempt, 'it ends with the attempt that served');
  const wasSent = turns.some(({ came }) => came !== 'not_sent');
  must(!wasSent || ended?.came !== 'not_sent', 'what was sent is not told as never sent');
}

/** Where all later attempts fit when one begins, the next one has its time, however long the one before takes. */
function leavesTime({ plan, turns, isOurs, gone, ended: last }: Run): boolean {
  if (!plan.repeatable || !isOurs || gone.size > 0) return false;
  let isShared = false;
  for (const [index, { attempt, leftMs, ended }] of turns.entries()) {
    if (ended === undefined) return isShared;
    const later = plan.attempts.slice(plan.attempts.indexOf(attempt) + 1);
    const neededLater = later.reduce((sum, one) => sum + neededMs(one), 0);
    const isOver = last?.came === 'served' || last?.came === 'broken';
    const isEnd = isOver && turns.slice(index + 1).every(({ begun }) => begun < ended);
    if (later.length === 0 || isEnd || neededMs(attempt) + neededLater > leftMs) continue;
    must(turns[index + 1]?.attempt === later[0], 'no attempt is passed over whose time was kept free');
    isShared = true;
  }
  return isShared;
}

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(`broken: ${what}`);
}
