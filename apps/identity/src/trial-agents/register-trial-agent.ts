import { DEFAULT_SCOPES } from '@capability-router/contracts';
import { uuidv7, type AccountId, type Credits } from '@capability-router/kernel';
import { inTransaction } from '@capability-router/service-kit';
import type pg from 'pg';
import { initialGrantFor, trialEndMs, type GrantPolicy } from '../accounts/initial-grant.js';
import { openAccount } from '../accounts/open-account.js';
import { issueApiKey } from '../api-keys/issue-api-key.js';
import { hashClaimCode, newClaimCode } from './claim-code.js';
import type { ClientNetwork } from './client-network.js';
import { insertTrialAgent } from './insert-trial-agent.js';
import { hasRoom } from './read-cap.sql.js';
import {
  registrationCaps,
  utcDayOf,
  type CapKind,
  type DayWindow,
  type RegistrationCap,
  type RegistrationPolicy,
} from './registration-caps.js';
import { takeCaps } from './take-caps.sql.js';

/** The key of a trial agent has this name and not the agent's own, because the event that holds it cannot be erased. */
const KEY_NAME = 'trial agent';

export interface RegisterTrialAgent {
  readonly agentName: string;
  readonly model?: string;
  readonly purpose?: string;
  readonly client: ClientNetwork;
  readonly nowMs: number;
}

export interface RegisteredTrialAgent {
  readonly agentId: string;
  readonly agentName: string;
  readonly accountId: AccountId;
  /** Plain; stored as hashes only, like the claim code. */
  readonly apiKey: string;
  readonly claimCode: string;
  readonly trialCredits: Credits;
  readonly expiresAtMs: number;
}

export type RegisterTrialAgentResult =
  | { readonly status: 'registered'; readonly agent: RegisteredTrialAgent }
  | {
      readonly status: 'capped';
      readonly cap: CapKind;
      /** Registrations in the window that is full. */
      readonly allowed: bigint;
      readonly resetAtMs: number;
    };

class Capped extends Error {
  constructor(readonly result: RegisterTrialAgentResult & { status: 'capped' }) {
    super('a registration cap has no room');
  }
}

function refusal(full: RegistrationCap, { endMs }: DayWindow): Capped {
  const allowed = full.amount === 0n ? 0n : full.allowed / full.amount;
  return new Capped({ status: 'capped', cap: full.kind, allowed, resetAtMs: endMs });
}

/** Counters, account, key, agent and both events in one transaction: a refusal leaves every row as it was. */
export async function registerTrialAgent(
  pool: pg.Pool,
  command: RegisterTrialAgent,
  policy: RegistrationPolicy & GrantPolicy,
): Promise<RegisterTrialAgentResult> {
  try {
    return await inTransaction(pool, async (tx) => {
      const window = utcDayOf(command.nowMs);
      const { own, shared } = registrationCaps(command.client, policy);
      if (!(await hasRoom(tx, window, shared))) throw refusal(shared, window);
      const full = (await takeCaps(tx, window, own)).at(-1);
      if (full !== undefined) throw refusal(full, window);
      const agent = await openTrial(tx, command, policy);
      // All registrations of the deployment wait here for each other, so it is the last thing before the commit.
      if ((await takeCaps(tx, window, [shared])).length > 0) throw refusal(shared, window);
      return { status: 'registered', agent };
    });
  } catch (error) {
    if (error instanceof Capped) return error.result;
    throw error;
  }
}

async function openTrial(
  tx: pg.ClientBase,
  command: RegisterTrialAgent,
  policy: GrantPolicy,
): Promise<RegisteredTrialAgent> {
  const { agentName, nowMs } = command;
  const grant = initialGrantFor('trial', policy, nowMs);
  const expiresAtMs = trialEndMs(policy, nowMs);
  const opened = await openAccount(tx, { kind: 'trial', name: agentName, grant, nowMs });
  if (opened.status !== 'opened') throw new Error('an account without an e-mail address was refused for one');
  const { accountId } = opened;
  const issued = await issueApiKey(tx, { accountId, name: KEY_NAME, scopes: DEFAULT_SCOPES, expiresAtMs, nowMs });
  if (issued.status !== 'issued') throw new Error(`a new account was refused its first key: ${issued.status}`);

  const agentId = `agt_${uuidv7(nowMs).replaceAll('-', '')}`;
  const claimCode = newClaimCode();
  await insertTrialAgent(tx, {
    agentId,
    accountId,
    agentName,
    ...(command.model === undefined ? {} : { model: command.model }),
    ...(command.purpose === undefined ? {} : { purpose: command.purpose }),
    claimCodeHash: hashClaimCode(claimCode),
    trialCredits: grant.amount,
    registeredAtMs: nowMs,
    expiresAtMs,
  });
  return { agentId, agentName, accountId, apiKey: issued.apiKey, claimCode, trialCredits: grant.amount, expiresAtMs };
}
