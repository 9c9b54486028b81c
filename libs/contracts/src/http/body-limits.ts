/**
 * Bytes of the bodies that are streamed to the registry and read there as a whole. The gateway refuses larger ones too,
 * because an answer that comes before the body has ended may not get through to it.
 */
export const bodyLimits = {
  /** `PUT /admin/v1/providers/{id}` */
  providerManifest: 8_388_608,
  /** `POST /admin/v1/sources/openapi` */
  sourceImport: 20_971_520,
} as const;
