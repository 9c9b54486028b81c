import type { ExecutionRestrictions, ToolContract } from '@capability-router/contracts';
import { regionAllows, regionListsOf } from '@capability-router/tool-calls';

const UNDECLARED = 'unknown';

/** `dataAsOf`: the time of its data when it was verified last, where that is known. */
export function executionRestrictionsOf(
  tool: ToolContract,
  accountRegion: string | undefined,
  dataAsOf?: string,
): ExecutionRestrictions {
  const callable = regionAllows(tool.region, accountRegion);
  const { eligibility = UNDECLARED, license = UNDECLARED, commercialUse = UNDECLARED } = tool.terms ?? {};
  return {
    callable,
    eligibility,
    license,
    commercial_use: commercialUse,
    regions: regionListsOf(tool.region),
    ...(dataAsOf === undefined ? {} : { data_as_of: dataAsOf }),
    warnings: [...(callable ? [] : [regionWarning(accountRegion)]), ...credentialWarnings(tool)],
  };
}

const regionWarning = (region: string | undefined): string =>
  region === undefined
    ? 'The tool may be called from some regions only, and the account has none. Have an administrator set it.'
    : `The tool may not be called by an account in the region ${region}.`;

function credentialWarnings({ provider }: ToolContract): string[] {
  if (provider.credential !== 'account') return [];
  const path = `PUT /auth/provider-credentials/${provider.providerId}`;
  return [`Calls carry a credential of your account. Where none is set yet, set it with ${path}.`];
}
