import { bodyLimits } from '@capability-router/contracts';
import type { RouteAllowance } from '@capability-router/service-kit';

/** Bytes of an import: a document of 16 MB as a JSON string has a few more. */
const MAX_IMPORT_BYTES = bodyLimits.sourceImport;

export const sourceRoutes: Readonly<Record<string, RouteAllowance>> = {
  'POST /admin/v1/sources/openapi': { bodyLimitBytes: MAX_IMPORT_BYTES },
};
