import { defineTool } from '../../tool/define-tool.js';
import { boundedJson } from '../../tool/json-bounds.js';
import { lazy } from '../../tool/operation.js';
import { flag, object } from '../../tool/parameters.js';
import { perCall } from '../../tool/prices.js';
import { ToolInputError } from '../../tool/tool-input-error.js';

const loadXml = lazy(() => import('fast-xml-parser'));

/** Names that need no escaping anywhere; `@` is an attribute, `#text` the text beside attributes. */
const memberName = /^(?:@?[A-Za-z_][A-Za-z0-9_.:-]{0,199}|#text)$/;

export const jsonToXml = defineTool({
  toolId: 'forge.json.to_xml.v1',
  name: { en: 'JSON to XML', zh: 'JSON 转 XML' },
  description: {
    en: 'Writes a JSON object as indented XML with everything escaped: one root element, lists as repeated elements, "@" for attributes. For systems that still speak XML or SOAP.',
    zh: '将 JSON 对象写成缩进且完全转义的 XML：一个根元素，列表为重复元素，"@" 表示属性。适合仍使用 XML 或 SOAP 的系统。',
  },
  categories: ['data-formats', 'developer-tools'],
  capabilities: [{ id: 'data.json_to_xml', tags: ['export', 'convert', 'SOAP'] }],
  parameters: {
    value: {
      schema: { type: 'object', minProperties: 1, maxProperties: 1 },
      en: 'Object with one member: the root element.',
      zh: '仅含一个成员（根元素）的对象。',
      required: true,
    },
    declaration: {
      schema: { type: 'boolean', default: true },
      en: 'Begin with <?xml version="1.0" encoding="UTF-8"?>.',
      zh: '是否以 <?xml version="1.0" encoding="UTF-8"?> 开头。',
    },
  },
  sampleParameters: { value: { order: { '@id': '7', item: ['tea & milk', 'bread'] } } },
  price: perCall('0.2'),
  run: async (parameters) => {
    const { XMLBuilder } = await loadXml();
    const value = object(parameters, 'value');
    boundedJson(value, 'Parameter "value"');
    expectNames(value);
    if (Object.values(value).some(Array.isArray)) {
      throw new ToolInputError(
        'The root element of "value" is a list. Wrap it in one element: {"items": {"item": […]}}.',
      );
    }
    const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: '@', format: true, indentBy: '  ' });
    const body = builder.build(value);
    return { xml: flag(parameters, 'declaration', true) ? `<?xml version="1.0" encoding="UTF-8"?>\n${body}` : body };
  },
});

/** Throws `ToolInputError` for a member whose name would not be well-formed XML. The depth is bounded already. */
function expectNames(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (!Array.isArray(value) && !memberName.test(name)) {
      throw new ToolInputError(`"${name.slice(0, 80)}" is no XML name. Use letters, digits, ".", "-" and "_".`);
    }
    expectNames(member);
  }
}
