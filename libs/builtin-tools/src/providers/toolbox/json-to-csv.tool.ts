import type { JsonObject } from '@capability-router/kernel';
import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { flag, isObject, isText, list, text } from '../../tool/parameters.js';
import { perCall } from '../../tool/prices.js';
import { ToolInputError } from '../../tool/tool-input-error.js';

const loadPapa = lazy(async () => (await import('papaparse')).default);

const columnName = { type: 'string', minLength: 1, maxLength: 200 } as const;
/** Columns. */
const MAX_COLUMNS = 200;

export const jsonToCsv = defineTool({
  toolId: 'toolbox.json.to_csv.v1',
  name: { en: 'JSON to CSV', zh: 'JSON 转 CSV' },
  description: {
    en: 'Writes a list of JSON objects as CSV text with a header line, quoting where needed, ready for a spreadsheet.',
    zh: '将 JSON 对象列表写成带表头的 CSV 文本，必要时加引号，可直接用于电子表格。',
  },
  categories: ['data-formats'],
  capabilities: [{ id: 'data.json_to_csv', tags: ['export', 'table', 'spreadsheet'] }],
  parameters: {
    rows: {
      schema: {
        type: 'array',
        minItems: 1,
        maxItems: 5_000,
        items: {
          type: 'object',
          maxProperties: MAX_COLUMNS,
          propertyNames: columnName,
          additionalProperties: { type: ['string', 'number', 'boolean', 'null'], maxLength: 32_767 },
        },
      },
      en: 'Objects of plain values, one per line.',
      zh: '由简单值组成的对象，每个对象一行。',
      required: true,
    },
    columns: {
      schema: { type: 'array', items: columnName, minItems: 1, maxItems: MAX_COLUMNS, uniqueItems: true },
      en: `Columns and their order; all that occur when left out, at most ${MAX_COLUMNS}.`,
      zh: `列及其顺序；省略时为出现过的所有列，最多 ${MAX_COLUMNS} 列。`,
    },
    delimiter: {
      schema: { type: 'string', enum: [',', ';', '\t', '|'], default: ',' },
      en: 'Delimiter.',
      zh: '分隔符。',
    },
    escape_formulas: {
      schema: { type: 'boolean', default: false },
      en: 'Put an apostrophe before texts that a spreadsheet would run as a formula.',
      zh: '在会被电子表格当作公式执行的文本前加撇号。',
    },
  },
  sampleParameters: {
    rows: [
      { city: 'Berlin', population: 3_426_354 },
      { city: 'Hamburg, Hanse', population: 1_739_117 },
    ],
  },
  price: perCall('0.5'),
  run: async (parameters) => {
    const papa = await loadPapa();
    const rows = list(parameters, 'rows', isObject);
    const columns = parameters['columns'] === undefined ? columnsOf(rows) : list(parameters, 'columns', isText);
    const csv = papa.unparse(
      { fields: columns, data: rows.map((row) => columns.map((column) => row[column] ?? null)) },
      {
        delimiter: text(parameters, 'delimiter', ','),
        newline: '\r\n',
        escapeFormulae: flag(parameters, 'escape_formulas', false),
      },
    );
    return { csv, row_count: rows.length, column_count: columns.length };
  },
});

/** Each key is a column of every row: rows with keys of their own would make a table of their square. */
function columnsOf(rows: readonly JsonObject[]): string[] {
  const columns = new Set<string>();
  for (const row of rows) {
    for (const column of Object.keys(row)) columns.add(column);
    if (columns.size > MAX_COLUMNS) {
      throw new ToolInputError(`The rows have over ${MAX_COLUMNS} different keys. Name the columns that are wanted.`);
    }
  }
  return [...columns];
}
