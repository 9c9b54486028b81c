import { AppError } from '@capability-router/kernel';
import { inTransaction } from '@capability-router/service-kit';
import type pg from 'pg';
import { beginChains } from '../security-log/chain/append-entries.js';
import { readCounters, takeCounters } from './counters.sql.js';
import { countersOf, fullCaps } from './counters.js';
import { insertTrials } from './insert-trials.sql.js';
import type { NewTrial, RegisteredTrialAgent } from './new-trial.js';
import type { CapKind, DayWindow, RegistrationCap } from './registration-caps.js';

/** Times that trials which were admitted find the last places taken by other replicas meanwhile, each time by fewer. */
const MAX_ATTEMPTS = 5;

export type RegisterTrialAgentResult =
  | { readonly status: 'registered'; readonly agent: RegisteredTrialAgent }
  | {
      readonly status: 'capped';
      readonly cap: CapKind;
      /** Registrations in the window that is full. */
      readonly allowed: bigint;
      readonly resetAtMs: number;
    };

/** Another replica has taken what was read to be left. */
class Overtaken extends Error {}

/**
 * Counters, accounts, keys, agents, events and entries of the security log of all that their caps admit, in one transaction:
 * none is registered without the others, and a refusal leaves every row as it was. They are admitted by what the counters are
 * read to be, and counted under their locks: where those have less room by then, all is undone and decided anew.
 * @returns a result for each, in their order
 * @throws AppError 503 where others are faster time after time; then nobody is registered
 */
export async function registerTrials(pool: pg.Pool, trials: readonly NewTrial[]): Promise<RegisterTrialAgentResult[]> {
  const { own, shared } = countersOf(trials);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const full = fullCaps(trials, await readCounters(pool, [...own, ...shared]));
    const admitted = trials.filter((_trial, index) => full[index] === undefined);
    if (admitted.length === 0 || (await openTrials(pool, admitted))) {
      return trials.map(({ agent, window }, index) => {
        const cap = full[index];
        return cap === undefined ? { status: 'registered', agent } : refusal(cap, window);
      });
    }
  }
  throw new AppError('service_unavailable', 'Too many agents register at the same time. Try again in a moment.');
}

/** False: nothing was written, since a counter has less room than they need together. */
async function openTrials(pool: pg.Pool, trials: readonly NewTrial[]): Promise<boolean> {
  const { own, shared } = countersOf(trials);
  try {
    await inTransaction(pool, async (tx) => {
      if ((await takeCounters(tx, own)).length > 0) throw new Overtaken();
      await insertTrials(tx, trials);
      await beginChains(
        tx,
        trials.map(({ entries, command: { nowMs } }) => ({ facts: entries, nowMs })),
      );
      // All registrations of the deployment wait here for each other, so it is the last thing before the commit.
      if ((await takeCounters(tx, shared)).length > 0) throw new Overtaken();
    });
    return true;
  } catch (error) {
    if (error instanceof Overtaken) return false;
    throw error;
  }
}

function refusal({ kind, amount, allowed }: RegistrationCap, { endMs }: DayWindow): RegisterTrialAgentResult {
  return { status: 'capped', cap: kind, allowed: amount === 0n ? 0n : allowed / amount, resetAtMs: endMs };
}
