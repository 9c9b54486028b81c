import type { JsonValue } from '@capability-router/kernel';
import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { flag, optionalText, text } from '../../tool/parameters.js';
import { perKilobyte } from '../../tool/prices.js';
import { ToolInputError } from '../../tool/tool-input-error.js';

const loadPapa = lazy(async () => (await import('papaparse')).default);

/** Characters. */
const MAX_CSV_LENGTH = 200_000;
/** Rows. */
const MAX_ROWS = 20_000;
/** Columns with a name: each is a key of every row. */
const MAX_COLUMNS = 2_000;

/** Numbers that keep their spelling when written back: "007" and long identifiers stay texts. */
const plainNumber = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,10})?$/;

export const csvToJson = defineTool({
  toolId: 'toolbox.csv.to_json.v1',
  name: { en: 'CSV to JSON', zh: 'CSV 转 JSON' },
  description: {
    en: 'Parses comma-, semicolon- or tab-separated text into JSON rows, with quoted fields, a header line and typed values.',
    zh: '将逗号、分号或制表符分隔的文本解析为 JSON 行，支持引号字段、表头与类型识别。',
  },
  categories: ['data-formats'],
  capabilities: [{ id: 'data.csv_to_json', tags: ['parse', 'table', 'spreadsheet'] }],
  parameters: {
    csv: {
      schema: { type: 'string', minLength: 1, maxLength: MAX_CSV_LENGTH },
      en: 'CSV text.',
      zh: 'CSV 文本。',
      required: true,
    },
    delimiter: {
      schema: { type: 'string', enum: [',', ';', '\t', '|'] },
      en: 'Delimiter; guessed when left out.',
      zh: '分隔符；省略时自动判断。',
    },
    has_header: {
      schema: { type: 'boolean', default: true },
      en: 'Is the first line a header? Without one, rows are arrays.',
      zh: '首行是否为表头；否则每行为数组。',
    },
    infer_types: {
      schema: { type: 'boolean', default: true },
      en: 'Turn numbers, true, false and empty fields into JSON values.',
      zh: '是否将数字、true、false 与空字段转换为 JSON 值。',
    },
  },
  sampleParameters: { csv: 'city,population\nBerlin,3426354\nHamburg,1739117\n' },
  price: perKilobyte('0.05', '0.1', 'csv', MAX_CSV_LENGTH),
  run: async (parameters) => {
    const papa = await loadPapa();
    const infer = flag(parameters, 'infer_types', true);
    const { data, errors, meta } = papa.parse<Record<string, JsonValue> | JsonValue[]>(text(parameters, 'csv'), {
      delimiter: optionalText(parameters, 'delimiter') ?? '',
      header: flag(parameters, 'has_header', true),
      skipEmptyLines: true,
      ...(infer ? { transform: toTyped } : {}),
    });
    const broken = errors.find(({ type }) => type === 'Quotes');
    if (broken !== undefined) {
      throw new ToolInputError(`The CSV is malformed at row ${(broken.row ?? 0) + 1}: ${broken.message}.`);
    }
    if ((meta.fields?.length ?? 0) > MAX_COLUMNS) {
      throw new ToolInputError(`The CSV has over ${MAX_COLUMNS} columns. Send fewer, or set "has_header" to false.`);
    }
    if (data.length > MAX_ROWS) throw new ToolInputError(`The CSV has over ${MAX_ROWS} rows. Send it in parts.`);
    return {
      columns: meta.fields ?? null,
      delimiter: meta.delimiter,
      row_count: data.length,
      irregular_row_count: new Set(errors.filter(({ type }) => type === 'FieldMismatch').map(({ row }) => row)).size,
      rows: data,
    };
  },
});

function toTyped(field: string): JsonValue {
  if (field === '') return null;
  if (field === 'true' || field === 'false') return field === 'true';
  return plainNumber.test(field) ? Number(field) : field;
}
