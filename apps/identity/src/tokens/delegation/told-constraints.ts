import type { DelegationConstraints } from '@capability-router/contracts';
import { creditsToNumber, type Credits } from '@capability-router/kernel';

/** As the request named them. */
export interface ToldConstraints {
  readonly model?: string;
  readonly run_id?: string;
  readonly max_credits?: number;
  readonly tool_ids?: readonly string[];
  readonly provider_ids?: readonly string[];
}

/** As requests and answers name the constraints of a token. */
export function toldConstraints({
  constraints: { model, runId, toolIds, providerIds },
  maxCredits,
}: {
  readonly constraints: DelegationConstraints;
  readonly maxCredits?: Credits | undefined;
}): ToldConstraints {
  return {
    ...(model === undefined ? {} : { model }),
    ...(runId === undefined ? {} : { run_id: runId }),
    ...(maxCredits === undefined ? {} : { max_credits: creditsToNumber(maxCredits) }),
    ...(toolIds === undefined ? {} : { tool_ids: toolIds }),
    ...(providerIds === undefined ? {} : { provider_ids: providerIds }),
  };
}
