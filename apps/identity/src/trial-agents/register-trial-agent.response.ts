import { DEFAULT_SCOPES } from '@capability-router/contracts';
import { creditsToNumber, toIso, type Credits } from '@capability-router/kernel';
import type { RegisteredTrialAgent } from './new-trial.js';

/** `data` of the answer to a registration. Amounts are credits. */
export interface RegisterTrialAgentData {
  readonly agent_id: string;
  readonly agent_name: string;
  readonly account_id: string;
  /** Shown this once. */
  readonly api_key: string;
  /** Shown this once; binds the trial to an e-mail address later. */
  readonly claim_code: string;
  readonly trial_credits: number;
  /** They are not booked yet, and will be. */
  readonly credits_ready?: false;
  readonly expires_at: string;
  readonly limits: { readonly max_credits_per_call: number; readonly scopes: readonly string[] };
}

/** `isReady`: are the trial credits booked? */
export function toRegisterTrialAgentData(
  agent: RegisteredTrialAgent,
  maxCallCredits: Credits,
  isReady: boolean,
): RegisterTrialAgentData {
  return {
    agent_id: agent.agentId,
    agent_name: agent.agentName,
    account_id: agent.accountId,
    api_key: agent.apiKey,
    claim_code: agent.claimCode,
    trial_credits: creditsToNumber(agent.trialCredits),
    ...(isReady ? {} : { credits_ready: false as const }),
    expires_at: toIso(agent.expiresAtMs),
    limits: { max_credits_per_call: creditsToNumber(maxCallCredits), scopes: DEFAULT_SCOPES },
  };
}
