import { DEFAULT_SCOPES } from '@capability-router/contracts';
import { newAccountId, uuidv7, type AccountId, type Credits } from '@capability-router/kernel';
import { initialGrantFor, trialEndMs, type GrantPolicy } from '../accounts/initial-grant.js';
import { accountOpened } from '../accounts/open-account.js';
import { mintApiKey, type MintedApiKey } from '../api-keys/issue-api-key.js';
import type { SecurityFact } from '../security-log/chain/entry.js';
import type { AccountFact } from '../security-log/described-fact.js';
import { entriesOfFacts } from '../security-log/log-facts.js';
import { hashClaimCode, newClaimCode } from './claim-code.js';
import type { ClientNetwork } from './client-network.js';
import {
  registrationCaps,
  utcDayOf,
  type DayWindow,
  type RegistrationCaps,
  type RegistrationPolicy,
} from './registration-caps.js';

/** The key of a trial agent has this name and not the agent's own, because the event that holds it cannot be erased. */
export const TRIAL_KEY_NAME = 'trial agent';

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

/** A trial that is registered nowhere yet, with everything that is written of it but for the counters of its caps. */
export interface NewTrial {
  readonly command: RegisterTrialAgent;
  readonly agent: RegisteredTrialAgent;
  readonly key: MintedApiKey;
  readonly claimCodeHash: Buffer;
  /** Facts of its account, in their order. */
  readonly facts: readonly AccountFact[];
  readonly entries: readonly SecurityFact[];
  readonly window: DayWindow;
  readonly caps: RegistrationCaps;
}

/** To be called where the request is served, which the security log names. */
export function newTrial(command: RegisterTrialAgent, policy: RegistrationPolicy & GrantPolicy): NewTrial {
  const { agentName, client, nowMs } = command;
  const accountId = newAccountId(nowMs);
  const grant = initialGrantFor('trial', policy, nowMs);
  const key = mintApiKey({ accountId, name: TRIAL_KEY_NAME, scopes: DEFAULT_SCOPES, nowMs });
  const claimCode = newClaimCode();
  const facts: readonly AccountFact[] = [
    { type: 'AccountOpened', data: accountOpened({ accountId, kind: 'trial', openedAtMs: nowMs }, grant) },
    { type: 'ApiKeyIssued', data: key.issued },
  ];
  return {
    command,
    agent: {
      agentId: `agt_${uuidv7(nowMs).replaceAll('-', '')}`,
      agentName,
      accountId,
      apiKey: key.apiKey,
      claimCode,
      trialCredits: grant.amount,
      expiresAtMs: trialEndMs(policy, nowMs),
    },
    key,
    claimCodeHash: hashClaimCode(claimCode),
    facts,
    entries: entriesOfFacts(facts, nowMs),
    window: utcDayOf(nowMs),
    caps: registrationCaps(client, policy),
  };
}
