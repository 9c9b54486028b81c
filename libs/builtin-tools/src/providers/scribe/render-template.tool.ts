import type { Liquid } from 'liquidjs';
import { defineTool } from '../../tool/define-tool.js';
import { boundedJson } from '../../tool/json-bounds.js';
import { lazy } from '../../tool/operation.js';
import { flag, object, text } from '../../tool/parameters.js';
import { perCall } from '../../tool/prices.js';
import { inputError } from '../../tool/shared-parameters.js';

/** Characters of a template. */
const MAX_TEMPLATE_LENGTH = 50_000;
/** Milliseconds of rendering. */
const RENDER_LIMIT_MS = 2_000;
/** The library's own count of characters and list items that a template makes. */
const MEMORY_LIMIT = 10_000_000;

const refuse = (): never => {
  throw new Error('Templates cannot include other templates: give the whole text');
};

const loadLiquid = lazy(async () => {
  const { Liquid } = await import('liquidjs');
  const options = {
    ownPropertyOnly: true,
    strictFilters: true,
    parseLimit: MAX_TEMPLATE_LENGTH,
    renderLimit: RENDER_LIMIT_MS,
    memoryLimit: MEMORY_LIMIT,
    relativeReference: false,
    fs: {
      readFile: refuse,
      readFileSync: refuse,
      exists: refuse,
      existsSync: refuse,
      resolve: (_directory: string, file: string) => file,
    },
  };
  return (strictVariables: boolean): Liquid => new Liquid({ ...options, strictVariables });
});

export const renderTemplate = defineTool({
  toolId: 'scribe.template.render.v1',
  name: { en: 'Fill in a text template', zh: '文本模板渲染' },
  description: {
    en: 'Fills a Liquid template with data: placeholders, conditions, loops and filters for dates, numbers and texts. For letters, e-mails, reports, prompts and configuration files.',
    zh: '用数据填充 Liquid 模板，支持占位符、条件、循环以及日期、数字、文本过滤器。适合信函、邮件、报告、提示词与配置文件。',
  },
  categories: ['language-and-text'],
  capabilities: [{ id: 'text.render_template', tags: ['liquid', 'placeholder', 'mail merge', 'generate'] }],
  parameters: {
    template: {
      schema: { type: 'string', minLength: 1, maxLength: MAX_TEMPLATE_LENGTH },
      en: 'Liquid template, such as "Dear {{ name }}".',
      zh: 'Liquid 模板，如 "Dear {{ name }}"。',
      required: true,
    },
    data: {
      schema: { type: 'object', maxProperties: 1_000 },
      en: 'Values by the names that the template uses.',
      zh: '模板中各名称对应的值。',
    },
    strict: {
      schema: { type: 'boolean', default: false },
      en: 'Fail when a name has no value, instead of leaving it empty.',
      zh: '名称无对应值时是否报错（默认留空）。',
    },
  },
  sampleParameters: {
    template: 'Dear {{ name }},{% for item in items %}\n- {{ item | upcase }}{% endfor %}',
    data: { name: 'Ada', items: ['tea', 'milk'] },
  },
  price: perCall('0.3'),
  timeoutMs: 5_000,
  // A template is a program: its loops multiply.
  run: async (parameters) => {
    const liquid = (await loadLiquid())(flag(parameters, 'strict', false));
    const data = object(parameters, 'data');
    boundedJson(data, 'Parameter "data"');
    try {
      return { text: String(await liquid.parseAndRender(text(parameters, 'template'), data)) };
    } catch (error) {
      throw inputError('The template cannot be rendered', error);
    }
  },
});
