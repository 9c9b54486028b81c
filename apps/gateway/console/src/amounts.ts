/** An amount with its unit, in the digits that the answer has; empty where there is none. */
export function credits(digits: string): string {
  if (digits === '') return '';
  return `${digits} ${/^-?1$/.test(digits) ? 'credit' : 'credits'}`;
}
