import { detectLanguage } from '../providers/lingua/detect-language.tool.js';
import { diffText } from '../providers/scribe/diff-text.tool.js';
import { markdownToHtml } from '../providers/scribe/markdown-to-html.tool.js';
import { slugify } from '../providers/scribe/slugify.tool.js';
import { diffCharacters } from '../providers/toolbox/diff-characters.tool.js';
import { identifyLanguage } from '../providers/toolbox/identify-language.tool.js';
import { markdownHtml } from '../providers/toolbox/markdown-html.tool.js';
import { slugLatin } from '../providers/toolbox/slug-latin.tool.js';
import { candidate, defineCapability } from './define-capability.js';

export const textCapabilities = [
  defineCapability({
    capabilityId: 'text.detect_language',
    name: { en: 'Detect language', zh: '检测语言' },
    description: { en: 'Tells the language that a text is written in.', zh: '判断文本所用的语言。' },
    parameters: detectLanguage,
    result: {
      language: { type: 'string', description: 'ISO 639-1 code where there is one, else ISO 639-3.' },
      language_name: { type: 'string', description: 'English name of the language.' },
      confidence: {
        type: 'number',
        minimum: 0,
        maximum: 1,
        description: 'How sure the tool is, by its own measure.',
      },
    },
    sampleParameters: { text: 'Alle Menschen sind frei und gleich an Würde und Rechten geboren.' },
    candidates: [candidate(detectLanguage), candidate(identifyLanguage)],
  }),
  defineCapability({
    capabilityId: 'text.markdown_to_html',
    name: { en: 'Markdown to HTML', zh: 'Markdown 转 HTML' },
    description: {
      en: 'Renders Markdown as HTML that is safe to show: raw HTML is escaped.',
      zh: '将 Markdown 渲染为可安全展示的 HTML：原始 HTML 会被转义。',
    },
    parameters: markdownHtml,
    result: { html: { type: 'string', description: 'HTML fragment.' } },
    sampleParameters: { markdown: '# Hello\n\n- one\n- two\n' },
    candidates: [candidate(markdownHtml), candidate(markdownToHtml)],
  }),
  defineCapability({
    capabilityId: 'text.diff',
    name: { en: 'Compare two texts', zh: '文本比对' },
    description: { en: 'Lists what was added to and taken from a text.', zh: '列出文本中新增与删除的内容。' },
    parameters: diffCharacters,
    result: {
      identical: { type: 'boolean', description: 'Are the texts the same?' },
      changes: {
        type: 'array',
        description: 'Pieces in order; those that are not inserted make the older text, those not deleted the newer.',
        items: {
          type: 'object',
          properties: { kind: { type: 'string', enum: ['equal', 'insert', 'delete'] }, text: { type: 'string' } },
          required: ['kind', 'text'],
        },
      },
    },
    sampleParameters: { before: 'a\nb\n', after: 'a\nc\n' },
    candidates: [candidate(diffText), candidate(diffCharacters)],
  }),
  defineCapability({
    capabilityId: 'text.slugify',
    name: { en: 'URL slug of a title', zh: '标题转网址别名' },
    description: { en: 'Makes a short name for a URL out of a title.', zh: '将标题转换为网址中的简短别名。' },
    parameters: slugify,
    result: {
      slug: { type: 'string', pattern: '^[a-z0-9._-]+$', description: 'Lower-case Latin letters and digits.' },
    },
    sampleParameters: { text: 'Déjà vu: 10 ways' },
    candidates: [candidate(slugLatin), candidate(slugify)],
  }),
];
