import { bodyLimits } from '@capability-router/contracts';

export const NDJSON = 'application/x-ndjson';
/** Beside JSON. */
export const importContentTypes: readonly string[] = [NDJSON];
export const importRoutes = {
  'POST /admin/v1/usage-events:import': { bodyLimitBytes: bodyLimits.usageImport },
} as const;
