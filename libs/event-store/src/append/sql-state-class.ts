/** Is it an error of PostgreSQL with an SQLSTATE of one of these classes, the first two characters of the code? */
export function isOfSqlStateClass(error: unknown, classes: readonly string[]): boolean {
  const code = (error as { readonly code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' && classes.includes(code.slice(0, 2));
}
