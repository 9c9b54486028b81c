import type { Slice } from '../slice.js';
import { accountCredentials } from './account-credentials.js';
import { accountStates } from './account-states.js';
import { adminAccounts } from './admin-accounts.js';
import { adminCatalogue } from './admin-catalogue.js';
import { adminCredentials } from './admin-credentials.js';
import { adminCredits } from './admin-credits.js';
import { adminExceptions } from './admin-exceptions.js';
import { adminSources } from './admin-sources.js';
import { adminUsageImport } from './admin-usage-import.js';
import { agents } from './agents.js';
import { calls } from './calls.js';
import { capabilityQueries } from './capability-queries.js';
import { catalogueReads } from './catalogue-reads.js';
import { discover } from './discover.js';
import { execute } from './execute.js';
import { externalSubjects } from './external-subjects.js';
import { gateway } from './gateway.js';
import { inspect } from './inspect.js';
import { ledger } from './ledger.js';
import { mcp } from './mcp.js';
import { oauthConsents } from './oauth-consents.js';
import { oauth } from './oauth.js';
import { ownApiKeys } from './own-api-keys.js';
import { probe } from './probe.js';
import { projects } from './projects.js';
import { rateLimitPlans } from './rate-limit-plans.js';
import { results } from './results.js';
import { securityLog } from './security-log.js';
import { usage } from './usage.js';

/** Each has a recording of the same name. */
export const slices: readonly Slice[] = [
  gateway,
  discover,
  inspect,
  probe,
  catalogueReads,
  capabilityQueries,
  execute,
  calls,
  results,
  usage,
  ledger,
  mcp,
  accountCredentials,
  agents,
  oauth,
  oauthConsents,
  externalSubjects,
  adminAccounts,
  accountStates,
  ownApiKeys,
  rateLimitPlans,
  projects,
  adminCredits,
  adminExceptions,
  adminUsageImport,
  adminCatalogue,
  adminSources,
  adminCredentials,
  securityLog,
];
