export interface CsvColumn {
  readonly name: string;
  /** An expression of SQL. */
  readonly sql: string;
  /**
   * `text` may hold what a caller, a tool or an operator wrote. `exact` is a number, a time, an id of ours or one of our
   * constants: never anything that CSV quotes, so the database joins such cells.
   */
  readonly kind: 'text' | 'exact';
}

export const text = (name: string, sql = `u.${name}`): CsvColumn => ({ name, sql, kind: 'text' });
export const exact = (name: string, sql = `u.${name}`): CsvColumn => ({ name, sql, kind: 'exact' });
/** Micro-credits as decimal credits, never as a float. */
export const credits = (name: string, micro: string): CsvColumn =>
  exact(name, `trim_scale((${micro})::numeric * 0.000001)`);
export const timestamp = (name: string, sql: string): CsvColumn =>
  exact(name, `to_char(${sql} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);

/** Neighbours that are exact, or one column of text. */
export interface Cell {
  readonly kind: CsvColumn['kind'];
  readonly sql: readonly string[];
}

/** The cells that a row is read as. */
export function cellsOf(columns: readonly CsvColumn[]): Cell[] {
  const cells: { kind: CsvColumn['kind']; sql: string[] }[] = [];
  for (const { kind, sql } of columns) {
    const last = cells.at(-1);
    if (kind === 'exact' && last?.kind === 'exact') last.sql.push(`(${sql})::text`);
    else cells.push({ kind, sql: [`(${sql})::text`] });
  }
  return cells;
}

/**
 * The select list: all as text, so that nothing is parsed on the way from the database to the file, and neighbours that
 * are exact as one, because each cell of a row costs the driver more than PostgreSQL takes to make it.
 */
export function selectList(columns: readonly CsvColumn[], place: string): string {
  const cells = cellsOf(columns).map(({ sql }) =>
    sql.length === 1 ? sql.join() : `array_to_string(ARRAY[${sql.join(', ')}], ',', '')`,
  );
  return [...cells, `(${place})::text`].join(', ');
}
