export interface Batches {
  /** Rows of one statement, so that no transaction lasts and none holds back readers of the event store. */
  readonly rows: number;
  /** Statements of one call. What is left waits for the next. */
  readonly statements: number;
}

/** Two million rows: an hourly sweep keeps up with 500 new rows a second. */
const DEFAULT_BATCHES: Batches = { rows: 1_000, statements: 2_000 };

/**
 * Removes, or blanks, what is there in statements of bounded size. `removeSome` works on `limit` rows at most and resolves
 * to how many they were: fewer than `limit` where nothing is left. Resolves to the rows of all statements.
 */
export async function repeatWhileFull(
  removeSome: (limit: number) => Promise<number>,
  { rows: limit, statements }: Batches = DEFAULT_BATCHES,
): Promise<number> {
  let removed = 0;
  for (let statement = 0; statement < statements; statement += 1) {
    const rows = await removeSome(limit);
    removed += rows;
    if (rows < limit) break;
  }
  return removed;
}
