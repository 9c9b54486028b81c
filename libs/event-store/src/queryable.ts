/** The part of `pg` that the store needs: a pool, or a client inside its caller's transaction. */
export interface Queryable {
  query<Row extends object = Record<string, unknown>>(
    text: string,
    values?: unknown[],
  ): Promise<{ rows: Row[]; rowCount: number | null }>;
  /** Parsed and planned once per connection, under a name that stands for this one text. */
  query<Row extends object = Record<string, unknown>>(statement: {
    name: string;
    text: string;
    values: unknown[];
  }): Promise<{ rows: Row[]; rowCount: number | null }>;
}
