import { element, type Child } from './elements.js';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => Child;
  /** Amounts stand below each other by their ends. */
  readonly isAmount?: boolean;
}

/**
 * Roles are written out, because browsers forget those of a table whose rows are laid out as blocks, as they are on narrow
 * screens. The first column names its row.
 */
export function table<Row>(caption: string, columns: readonly Column<Row>[], rows: readonly Row[]): HTMLTableElement {
  const classOf = ({ isAmount = false }: Column<Row>): string => (isAmount ? 'amount' : '');
  const head = columns.map((column) =>
    element('th', { scope: 'col', role: 'columnheader', class: classOf(column) }, column.title),
  );
  const body = rows.map((row) =>
    element(
      'tr',
      { role: 'row' },
      ...columns.map((column, index) =>
        index === 0
          ? element('th', { scope: 'row', role: 'rowheader' }, column.cell(row))
          : element('td', { role: 'cell', 'data-title': column.title, class: classOf(column) }, column.cell(row)),
      ),
    ),
  );
  return element(
    'table',
    { role: 'table' },
    element('caption', {}, caption),
    element('thead', { role: 'rowgroup' }, element('tr', { role: 'row' }, ...head)),
    element('tbody', { role: 'rowgroup' }, ...body),
  );
}

/** A table, or the words for there being nothing. */
export function tableOr<Row>(
  nothing: string,
  caption: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): HTMLElement {
  return rows.length === 0 ? element('p', {}, nothing) : table(caption, columns, rows);
}
