const EVERYWHERE = 'global';
const DENIED = '-';

/**
 * May an account of this region call the tool? `rule`: `global` or absent for all, `US|CA` for these only, `-CN|-RU` for
 * all but these; a rule that has both allows what is listed and not denied. A region that is not known is not kept out.
 */
export function regionAllows(rule: string | undefined, accountRegion: string | undefined): boolean {
  if (rule === undefined || rule === EVERYWHERE || accountRegion === undefined) return true;
  const region = accountRegion.toUpperCase();
  const entries = rule.split('|').map((entry) => entry.trim().toUpperCase());
  const denied = entries.filter((entry) => entry.startsWith(DENIED)).map((entry) => entry.slice(DENIED.length));
  if (denied.includes(region)) return false;
  const allowed = entries.filter((entry) => entry !== '' && !entry.startsWith(DENIED));
  return allowed.length === 0 || allowed.includes(region) || allowed.includes(EVERYWHERE.toUpperCase());
}
