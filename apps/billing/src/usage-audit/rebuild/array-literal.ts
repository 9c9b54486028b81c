/** An array in PostgreSQL's notation. The driver's own takes several times as long for arrays of this length. */
export const arrayLiteral = (values: readonly unknown[]): string => `{${values.map(elementOf).join(',')}}`;

function elementOf(value: unknown): string {
  if (value === undefined || value === null) return 'NULL';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `"${/["\\]/.test(text) ? text.replace(/["\\]/g, '\\$&') : text}"`;
}
