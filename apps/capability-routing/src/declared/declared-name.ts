/** How a capability is called that has no contract to name it: `finance.check_iban` is "Check iban". */
export function declaredName(capabilityId: string): string {
  const words = (capabilityId.split('.').at(-1) ?? capabilityId).replaceAll(/[_-]+/g, ' ').trim();
  return words === '' ? capabilityId : `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
