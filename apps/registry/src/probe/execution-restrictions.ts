import type { ToolContract } from '@capability-router/contracts';
import { regionAllows, regionListsOf } from '@capability-router/tool-calls';
import type { ExecutionRestrictions } from './domain/probe-tool.js';

const UNDECLARED = 'unknown';

export function executionRestrictionsOf(tool: ToolContract, accountRegion: string | undefined): ExecutionRestrictions {
  const callable = regionAllows(tool.region, accountRegion);
  return {
    callable,
    eligibility: UNDECLARED,
    license: UNDECLARED,
    commercial_use: UNDECLARED,
    regions: regionListsOf(tool.region),
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
