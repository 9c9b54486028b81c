const EVERYWHERE = 'global';
const DENIED = '-';

/**
 * May an account of this region call the tool? `rule`: `global` or absent for all, `US|CA` for these only, `-CN|-RU` for
 * all but these; a rule that has both allows what is listed and not denied. An account whose region is not known is not
 * shown to be among those who may, so a list keeps it out; nor is it shown to be among those who may not.
 */
export function regionAllows(rule: string | undefined, accountRegion: string | undefined): boolean {
  if (rule === undefined || rule === EVERYWHERE) return true;
  const region = accountRegion?.toUpperCase();
  const entries = rule.split('|').map((entry) => entry.trim().toUpperCase());
  const denied = entries.filter((entry) => entry.startsWith(DENIED)).map((entry) => entry.slice(DENIED.length));
  if (region !== undefined && denied.includes(region)) return false;
  const allowed = entries.filter((entry) => entry !== '' && !entry.startsWith(DENIED));
  if (allowed.length === 0 || allowed.includes(EVERYWHERE.toUpperCase())) return true;
  return region !== undefined && allowed.includes(region);
}
