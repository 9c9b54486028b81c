import { defineTool } from '../../tool/define-tool.js';
import { parseNested } from '../../tool/depth-error.js';
import { boundedJson, MAX_JSON_DEPTH } from '../../tool/json-bounds.js';
import { lazy } from '../../tool/operation.js';
import { flag, text } from '../../tool/parameters.js';
import { perKilobyte } from '../../tool/prices.js';
import { inputError } from '../../tool/shared-parameters.js';
import { ToolInputError } from '../../tool/tool-input-error.js';

const loadXml = lazy(() => import('fast-xml-parser'));

/** Characters. */
const MAX_XML_LENGTH = 200_000;

export const xmlToJson = defineTool({
  toolId: 'forge.xml.to_json.v1',
  name: { en: 'XML to JSON', zh: 'XML 转 JSON' },
  description: {
    en: 'Parses XML (feeds, invoices, SOAP answers, sitemaps, configuration) into JSON; attributes become members with "@" before their names. Malformed XML is reported with its line.',
    zh: '将 XML（订阅源、发票、SOAP 响应、站点地图、配置）解析为 JSON；属性成为名称前带 "@" 的成员。格式错误时指出行号。',
  },
  categories: ['data-formats', 'developer-tools'],
  capabilities: [{ id: 'data.xml_to_json', tags: ['parse', 'convert', 'RSS', 'SOAP', 'feed'] }],
  parameters: {
    xml: {
      schema: { type: 'string', minLength: 1, maxLength: MAX_XML_LENGTH },
      en: 'XML document without a document type declaration.',
      zh: '不含文档类型声明（DOCTYPE）的 XML 文档。',
      required: true,
    },
    infer_types: {
      schema: { type: 'boolean', default: true },
      en: 'Turn plain numbers, true and false in elements into JSON values.',
      zh: '是否将元素中的数字、true、false 转换为 JSON 值。',
    },
  },
  sampleParameters: { xml: '<order id="7"><item>tea &amp; milk</item><item>bread</item><total>12.5</total></order>' },
  price: perKilobyte('0.03', '0.1', 'xml', MAX_XML_LENGTH),
  run: async (parameters) => {
    const { XMLParser, XMLValidator } = await loadXml();
    const xml = text(parameters, 'xml');
    // Entities of a document's own can grow without bound, and reach for files elsewhere.
    if (/<!DOCTYPE/i.test(xml)) throw new ToolInputError('Remove the <!DOCTYPE …> declaration: it is not read.');
    const validity = XMLValidator.validate(xml);
    if (validity !== true)
      throw new ToolInputError(`The XML is malformed at line ${validity.err.line}: ${validity.err.msg}`);
    const infer = flag(parameters, 'infer_types', true);
    const parser = new XMLParser({
      ignoreAttributes: false,
      attributeNamePrefix: '@',
      ignoreDeclaration: true,
      parseTagValue: infer,
      // "007" and identifiers longer than a double keep their spelling.
      numberParseOptions: { leadingZeros: false, hex: false, eNotation: false, skipLike: /^[+-]?\d{16,}$/ },
      maxNestedTags: MAX_JSON_DEPTH,
    });
    try {
      const value: unknown = parseNested('The XML', () => parser.parse(xml) as unknown);
      return { value: boundedJson(value, 'The XML') };
    } catch (error) {
      throw error instanceof ToolInputError ? error : inputError('The XML cannot be read', error);
    }
  },
});
