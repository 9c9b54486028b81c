export type PermissiveLicence = 'MIT' | 'Apache-2.0' | 'BSD' | 'CC0' | 'CC-BY';

const forbidding = /by-(?:nc|nd|sa)|\b(?:nc|nd|sa)\b|non-?commercial|share-?alike|no-?deriv|\bl?a?gpl/;
const permissive: readonly (readonly [PermissiveLicence, RegExp])[] = [
  ['MIT', /\bmit\b/],
  ['Apache-2.0', /\bapache\b/],
  ['BSD', /\bbsd\b/],
  ['CC0', /\bcc0\b|publicdomain\/zero/],
  ['CC-BY', /\bcc[- ]by\b|licenses\/by\/|creative commons attribution\b/],
];

/**
 * The permissive licence that an OpenAPI document's `info.license` names. Undefined for every other one, for terms of
 * use, and where nothing is said: such text is not trained on.
 */
export function permissiveLicence(license: { name?: unknown; url?: unknown }): PermissiveLicence | undefined {
  const said = [license.name, license.url]
    .filter((part) => typeof part === 'string')
    .join(' ')
    .toLowerCase();
  if (forbidding.test(said)) return undefined;
  return permissive.find(([, pattern]) => pattern.test(said))?.[0];
}
