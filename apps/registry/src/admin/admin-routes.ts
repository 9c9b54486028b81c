import { importContentTypes, type RouteAllowance } from '@capability-router/service-kit';
import { MAX_MANIFEST_BYTES } from './providers/provider-manifest.controller.js';

/** Bodies that controllers of administration get as streams. */
export const adminContentTypes = importContentTypes;

/** The bounds of the routes of administration that are wider than those of the others. */
export const adminRoutes: Readonly<Record<string, RouteAllowance>> = {
  'PUT /admin/v1/providers/:providerId': { bodyLimitBytes: MAX_MANIFEST_BYTES },
  'POST /admin/v1/catalog::import': { streamsBody: true },
};
