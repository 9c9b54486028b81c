import { convertColor } from '../providers/forge/convert-color.tool.js';
import { digest } from '../providers/forge/digest.tool.js';
import { drawBarcode } from '../providers/forge/draw-barcode.tool.js';
import { queryJson } from '../providers/forge/query-json.tool.js';
import { yamlToJson } from '../providers/forge/yaml-to-json.tool.js';
import { describeStatistics } from '../providers/formula/describe-statistics.tool.js';
import { colorQuick } from '../providers/toolbox/color-quick.tool.js';
import { hashText } from '../providers/toolbox/hash-text.tool.js';
import { qrSvg } from '../providers/toolbox/qr-svg.tool.js';
import { selectJson } from '../providers/toolbox/select-json.tool.js';
import { summarizeNumbers } from '../providers/toolbox/summarize-numbers.tool.js';
import { yamlLoad } from '../providers/toolbox/yaml-load.tool.js';
import { pathParameter } from '../tool/json-path.js';
import { candidate, defineCapability, parametersOf, same } from './define-capability.js';

const number = (description: string) => ({ type: 'number', description });
const parts = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'number' }])),
  required: names,
});

export const dataCapabilities = [
  defineCapability({
    capabilityId: 'math.describe',
    name: { en: 'Summarise numbers', zh: '数字汇总' },
    description: {
      en: 'Gives count, sum, mean, median, extremes and sample standard deviation of numbers.',
      zh: '给出一组数字的个数、总和、均值、中位数、极值与样本标准差。',
    },
    parameters: describeStatistics,
    result: {
      count: { type: 'integer', description: 'How many numbers.' },
      sum: number('Their sum.'),
      mean: number('Arithmetic mean.'),
      median: number('Median.'),
      minimum: number('The least.'),
      maximum: number('The greatest.'),
      sample_standard_deviation: number('With n − 1; 0 for one number.'),
    },
    sampleParameters: { numbers: [2, 4, 4, 4, 5, 5, 7, 9] },
    candidates: [
      candidate(describeStatistics),
      candidate(summarizeNumbers, {
        parameters: { values: { from: '$.numbers' } },
        result: {
          count: { from: '$.n' },
          ...same('sum', 'median'),
          mean: { from: '$.average' },
          minimum: { from: '$.min' },
          maximum: { from: '$.max' },
          sample_standard_deviation: { from: '$.standard_deviation' },
        },
      }),
    ],
  }),
  defineCapability({
    capabilityId: 'data.query_json',
    name: { en: 'Query JSON', zh: '查询 JSON' },
    description: {
      en: 'Selects values of a JSON document by an RFC 9535 JSONPath.',
      zh: '用 RFC 9535 JSONPath 从 JSON 文档中选取值。',
    },
    parameters: parametersOf(
      {
        document: {
          type: ['object', 'array'],
          maxProperties: 1_000,
          maxItems: 1_000,
          description: 'The JSON document: an object or a list.',
        },
        path: { ...pathParameter.schema, description: pathParameter.en },
      },
      ['document', 'path'],
    ),
    result: { values: { type: 'array', description: 'What was selected, in document order.' } },
    sampleParameters: { document: { a: [{ b: 1 }, { b: 2 }] }, path: '$.a[*].b' },
    candidates: [
      candidate(selectJson, { parameters: { json: { from: '$.document' }, expression: { from: '$.path' } } }),
      candidate(queryJson, { result: { values: { from: '$.rows' } } }),
    ],
  }),
  defineCapability({
    capabilityId: 'data.yaml_to_json',
    name: { en: 'YAML to JSON', zh: 'YAML 转 JSON' },
    description: { en: 'Reads a YAML document as JSON.', zh: '将 YAML 文档读取为 JSON。' },
    parameters: parametersOf(
      { yaml: { type: 'string', minLength: 1, maxLength: 20_000, description: 'One YAML document.' } },
      ['yaml'],
    ),
    result: { value: { description: 'The document.' } },
    sampleParameters: { yaml: 'a: [1, 2]\n' },
    candidates: [
      candidate(yamlLoad, {
        parameters: { document: { from: '$.yaml' } },
        result: { value: { from: '$.content' } },
      }),
      candidate(yamlToJson),
    ],
  }),
  defineCapability({
    capabilityId: 'crypto.hash',
    name: { en: 'Hash a text', zh: '文本哈希' },
    description: { en: 'Computes the SHA-2 checksum of a text.', zh: '计算文本的 SHA-2 校验和。' },
    parameters: parametersOf(
      {
        text: { type: 'string', maxLength: 100_000, description: 'Text, hashed as UTF-8.' },
        algorithm: { type: 'string', enum: ['sha-256', 'sha-384', 'sha-512'], default: 'sha-256' },
      },
      ['text'],
    ),
    result: { hex: { type: 'string', pattern: '^[0-9a-f]{64,128}$', description: 'Lower-case hexadecimal.' } },
    sampleParameters: { text: 'abc' },
    candidates: [
      candidate(hashText, {
        parameters: {
          input: { from: '$.text' },
          function: {
            from: '$.algorithm',
            values: { 'sha-256': 'sha256', 'sha-384': 'sha384', 'sha-512': 'sha512' },
            default: 'sha256',
          },
        },
        result: { hex: { from: '$.checksum' } },
      }),
      candidate(digest),
    ],
  }),
  defineCapability({
    capabilityId: 'color.convert',
    name: { en: 'Convert a colour', zh: '颜色转换' },
    description: { en: 'Gives hex, RGB and HSL of a colour.', zh: '给出颜色的十六进制、RGB 与 HSL 值。' },
    parameters: parametersOf(
      {
        color: { type: 'string', minLength: 3, maxLength: 60, description: 'Colour as hex, rgb() or hsl().' },
      },
      ['color'],
    ),
    result: {
      hex: { type: 'string', pattern: '^#[0-9a-f]{6}([0-9a-f]{2})?$', description: 'sRGB.' },
      rgb: { ...parts('r', 'g', 'b'), description: '0 to 255 each.' },
      hsl: { ...parts('h', 's', 'l'), description: 'Degrees, and twice per cent.' },
    },
    sampleParameters: { color: '#663399' },
    candidates: [candidate(colorQuick, { parameters: { value: { from: '$.color' } } }), candidate(convertColor)],
  }),
  defineCapability({
    capabilityId: 'image.qr_code',
    name: { en: 'QR code', zh: '二维码' },
    description: { en: 'Draws a QR code of a text as SVG.', zh: '将文本生成 SVG 二维码。' },
    parameters: parametersOf(
      { text: { type: 'string', minLength: 1, maxLength: 1_000, description: 'Content of the code.' } },
      ['text'],
    ),
    result: {
      svg: { type: 'string', pattern: '^<svg', description: 'SVG document.' },
      media_type: { type: 'string', enum: ['image/svg+xml'], description: 'What `svg` is.' },
    },
    sampleParameters: { text: 'https://example.com/' },
    candidates: [
      candidate(qrSvg),
      candidate(drawBarcode, { parameters: { text: { from: '$.text' }, kind: { value: 'qr' } } }),
    ],
  }),
];
