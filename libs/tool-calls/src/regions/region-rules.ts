const EVERYWHERE = 'global';
const DENIED = '-';

/** The regions of a rule, in capitals; where none is allowed by name, all are. */
export interface RegionLists {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

/** `global`, or no rule, lists nothing. */
export function regionListsOf(rule: string | undefined): RegionLists {
  const entries = (rule ?? EVERYWHERE).split('|').map((entry) => entry.trim().toUpperCase());
  const deny = entries.filter((entry) => entry.startsWith(DENIED)).map((entry) => entry.slice(DENIED.length));
  const allow = entries.filter((entry) => entry !== '' && !entry.startsWith(DENIED));
  return { allow: allow.includes(EVERYWHERE.toUpperCase()) ? [] : allow, deny };
}

/**
 * May an account of this region call the tool? `rule`: `global` or absent for all, `US|CA` for these only, `-CN|-RU` for
 * all but these; a rule that has both allows what is listed and not denied. An account whose region is not known is not
 * shown to be among those who may, so a list keeps it out; nor is it shown to be among those who may not.
 */
export function regionAllows(rule: string | undefined, accountRegion: string | undefined): boolean {
  if (rule === undefined || rule === EVERYWHERE) return true;
  const region = accountRegion?.toUpperCase();
  const { allow, deny } = regionListsOf(rule);
  if (region !== undefined && deny.includes(region)) return false;
  return allow.length === 0 || (region !== undefined && allow.includes(region));
}
