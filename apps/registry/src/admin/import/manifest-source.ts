/** The source of everything that administrators write by hand. */
export const MANIFEST_SOURCE = 'manifest';
