import type pg from 'pg';
import { beforeAnyChange, readChangedRows, type ChangedTable, type ChangePosition } from './read-changed-rows.sql.js';

/** Rows in one read. */
const PAGE_ROWS = 1_000;
/** Reads of one refresh; what is left comes with the next, so that a flood of changes never holds up the loop. */
const MAX_PAGES_PER_REFRESH = 20;

/** Keeps what is copied from a table fresh: every refresh reads only the rows that changed since the last. */
export class ChangedRowsCopy<Row extends object> {
  private position: ChangePosition = beforeAnyChange;

  constructor(
    private readonly table: ChangedTable,
    private readonly apply: (rows: readonly Row[]) => void,
  ) {}

  /** Everything there is. */
  async load(pool: pg.Pool): Promise<void> {
    while ((await this.refresh(pool)) === 'more');
  }

  /** `more`: there are further changes. */
  async refresh(pool: pg.Pool): Promise<'done' | 'more'> {
    for (let page = 0; page < MAX_PAGES_PER_REFRESH; page += 1) {
      const { rows, position } = await readChangedRows<Row>(pool, this.table, this.position, PAGE_ROWS);
      this.apply(rows);
      this.position = position;
      if (rows.length < PAGE_ROWS) return 'done';
    }
    return 'more';
  }
}
