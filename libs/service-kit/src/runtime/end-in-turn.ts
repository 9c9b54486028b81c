/** Ends one thing after the other, also where one before it could not be ended; throws afterwards what went wrong. */
export async function endInTurn(ends: readonly (() => unknown)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const end of ends) {
    try {
      await end();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new AggregateError(failures, `${failures.length} things could not be ended`);
}
