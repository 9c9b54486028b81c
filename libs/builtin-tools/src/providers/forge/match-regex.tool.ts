import type { JsonObject } from '@capability-router/kernel';
import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { number, optionalText, text } from '../../tool/parameters.js';
import { perKilobyte } from '../../tool/prices.js';
import { inputError } from '../../tool/shared-parameters.js';
import { ToolInputError } from '../../tool/tool-input-error.js';

const loadRe2 = lazy(async () => (await import('re2js')).RE2JS);

/** Characters. */
const MAX_TEXT_LENGTH = 100_000;
/** Instructions of a compiled pattern: each costs a step for each character. */
const MAX_PROGRAM_SIZE = 10_000;

const flagNames = ['CASE_INSENSITIVE', 'DOTALL', 'MULTILINE'] as const;
const letters = { i: 'CASE_INSENSITIVE', s: 'DOTALL', m: 'MULTILINE' } as const;

/** Characters: what is longer is more than a result may hold. */
const MAX_REPLACED_LENGTH = 8_388_608;
/** Instructions of a pattern times characters of its text: what takes up to a second. */
const MAX_STEPS = 10_000_000;

export const matchRegex = defineTool({
  toolId: 'forge.regex.match.v1',
  name: { en: 'Find or replace with a regular expression', zh: '正则表达式匹配与替换' },
  description: {
    en: 'Runs a regular expression over a text: all matches with positions and groups, or the text with matches replaced. RE2 syntax in linear time, so no pattern can hang; for extracting dates, ids, prices or codes.',
    zh: '对文本执行正则表达式：返回全部匹配及位置与分组，或替换后的文本。采用 RE2 语法，线性时间，任何表达式都不会卡死；适合提取日期、编号、价格或代码。',
  },
  categories: ['language-and-text', 'developer-tools'],
  capabilities: [{ id: 'text.match_regex', tags: ['regexp', 'RE2', 'extract', 'search and replace', 'pattern'] }],
  parameters: {
    pattern: {
      schema: { type: 'string', minLength: 1, maxLength: 1_000 },
      en: 'RE2 pattern, such as "(?P<year>\\d{4})-(\\d{2})". No backreferences.',
      zh: 'RE2 表达式，如 "(?P<year>\\d{4})-(\\d{2})"。不支持反向引用。',
      required: true,
    },
    text: {
      schema: { type: 'string', maxLength: MAX_TEXT_LENGTH },
      en: 'Text to search.',
      zh: '要搜索的文本。',
      required: true,
    },
    flags: {
      schema: { type: 'string', pattern: '^[ism]{1,3}$' },
      en: 'i: ignore case; s: "." matches line ends; m: ^ and $ match at lines.',
      zh: 'i：忽略大小写；s："." 匹配换行；m：^ 与 $ 匹配行首尾。',
    },
    replacement: {
      schema: { type: 'string', maxLength: 1_000 },
      en: 'Replace every match by this; $1 stands for a group.',
      zh: '用此文本替换所有匹配；$1 表示分组。',
    },
    max_matches: {
      schema: { type: 'integer', minimum: 1, maximum: 1_000, default: 100 },
      en: 'Most matches that are listed.',
      zh: '最多列出的匹配数。',
    },
  },
  sampleParameters: { pattern: '(?P<year>\\d{4})-(\\d{2})', text: 'from 2026-01 to 2027-02' },
  price: perKilobyte('0.02', '0.1', 'text', MAX_TEXT_LENGTH),
  timeoutMs: 5_000,
  run: async (parameters) => {
    const re2 = await loadRe2();
    const flags = [...new Set(optionalText(parameters, 'flags') ?? '')]
      .map((letter) => letters[letter as keyof typeof letters])
      .filter((name) => flagNames.includes(name))
      .reduce((bits, name) => bits | re2[name], 0);
    const subject = text(parameters, 'text');
    const replacement = optionalText(parameters, 'replacement');
    try {
      const pattern = re2.compile(text(parameters, 'pattern'), flags);
      if (pattern.programSize() > MAX_PROGRAM_SIZE) {
        throw new ToolInputError('The pattern is too large once its repetitions are written out. Repeat less.');
      }
      if (pattern.programSize() * subject.length > MAX_STEPS) {
        throw new ToolInputError(
          `The pattern is too large for a text of ${subject.length} characters. Shorten the pattern, or send the text in parts.`,
        );
      }
      if (replacement !== undefined) {
        requireBounded(pattern.matcher(subject), subject.length, replacement);
        return { text: pattern.matcher(subject).replaceAll(replacement) };
      }
      const wanted = number(parameters, 'max_matches', 100);
      const matcher = pattern.matcher(subject);
      const matches: JsonObject[] = [];
      while (matches.length <= wanted && matcher.find()) {
        matches.push({
          text: matcher.group(),
          start: matcher.start(),
          end: matcher.end(),
          groups: Array.from({ length: matcher.groupCount() }, (_, index) => matcher.group(index + 1)),
          named_groups: matcher.getNamedGroups(),
        });
      }
      const more = matches.length > wanted;
      return matches.length === 0 ? null : { matches: matches.slice(0, wanted), more };
    } catch (error) {
      throw error instanceof ToolInputError ? error : inputError('The pattern is no RE2 expression', error);
    }
  },
});

interface Finding {
  find(): boolean;
  start(): number;
  end(): number;
}

/**
 * Throws where the replaced text might be longer than a result may be: `replaceAll` would write it whole before anybody
 * could refuse it. Each `$` may stand for as much as its match, and everything else for itself.
 */
function requireBounded(matcher: Finding, length: number, replacement: string): void {
  const references = replacement.split('$').length - 1;
  let atMost = length;
  while (matcher.find()) {
    atMost += replacement.length + references * (matcher.end() - matcher.start());
    if (atMost > MAX_REPLACED_LENGTH) {
      throw new ToolInputError(
        `The text with its replacements may be above ${MAX_REPLACED_LENGTH} characters. Shorten the replacement, or send the text in parts.`,
      );
    }
  }
}
