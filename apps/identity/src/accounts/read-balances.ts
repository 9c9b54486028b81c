import type { AccountBalancesRequest, AccountBalancesResponse } from '@capability-router/contracts';
import { jsonBody, postJson, type ServiceClient } from '@capability-router/service-kit';

/** Milliseconds that whoever asks waits for billing. */
const TIMEOUT_MS = 1_000;

/** Reads the balances of accounts, by id; undefined where billing does not answer in time. */
export async function readBalances(
  billing: ServiceClient,
  accountIds: readonly string[],
): Promise<AccountBalancesResponse['balances'] | undefined> {
  if (accountIds.length === 0) return {};
  try {
    const request: AccountBalancesRequest = { accountIds };
    const options = { timeoutMs: TIMEOUT_MS, repeatable: true };
    const answer = await postJson(billing, '/internal/accounts:balances', request, options);
    return answer.status === 200 ? jsonBody<AccountBalancesResponse>(answer).balances : undefined;
  } catch {
    return undefined;
  }
}
