/**
 * Bytes of the bodies that are streamed to a service and read there as a whole. The gateway refuses larger ones too,
 * because an answer that comes before the body has ended may not get through to it.
 */
export const bodyLimits = {
  /** `PUT /admin/v1/providers/{id}` */
  providerManifest: 8_388_608,
  /** `POST /admin/v1/sources/openapi` */
  sourceImport: 20_971_520,
  /** `POST /admin/v1/usage-events:import` */
  usageImport: 8_388_608,
} as const;

/** Bytes of any body for identity, whose routes strangers reach, too. The gateway refuses larger ones before it holds them. */
export const IDENTITY_BODY_LIMIT_BYTES = 65_536;

/** Bytes of an answer that is streamed: the most that a deployment may let one kept result have, and any other stays below. */
export const MAX_STREAMED_ANSWER_BYTES = 268_435_456;
