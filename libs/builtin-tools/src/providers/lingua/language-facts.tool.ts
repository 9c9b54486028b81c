import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { optionalText } from '../../tool/parameters.js';
import { free } from '../../tool/prices.js';

const loadLanguages = lazy(async () => (await import('iso-639-3')).iso6393);

export const languageFacts = defineTool({
  toolId: 'lingua.language.facts.v1',
  name: { en: 'Language codes and names', zh: '语言代码与名称查询' },
  description: {
    en: 'Looks up a language among 7,800 by ISO 639 code or English name: its codes of two and three letters, names in English, Chinese and itself, and whether it is living, extinct or constructed.',
    zh: '按 ISO 639 代码或英文名在七千八百余种语言中查询：两位与三位代码，英文、中文及本语名称，以及现存、消亡或人造状态。',
  },
  categories: ['language-and-text'],
  capabilities: [{ id: 'language.facts', tags: ['iso 639', 'language code', 'locale'] }],
  parameters: {
    language_code: {
      schema: { type: 'string', pattern: '^[a-z]{2,3}$', examples: ['zh', 'deu'] },
      en: 'ISO 639 code of two or three letters.',
      zh: 'ISO 639 两位或三位代码。',
    },
    language_name: {
      schema: { type: 'string', minLength: 2, maxLength: 80 },
      en: 'English name, such as "Welsh".',
      zh: '英文名称，如 "Welsh"。',
    },
  },
  oneOfRequired: [['language_code', 'language_name']],
  sampleParameters: { language_code: 'cy' },
  price: free,
  run: async (parameters) => {
    const languages = await loadLanguages();
    const code = optionalText(parameters, 'language_code');
    const name = optionalText(parameters, 'language_name')?.trim().toLowerCase();
    const found = languages.find((language) =>
      code === undefined
        ? language.name.toLowerCase() === name
        : [language.iso6391, language.iso6393, language.iso6392B].includes(code),
    );
    if (found === undefined) return null;
    const shortest = found.iso6391 ?? found.iso6393;
    return {
      name: found.name,
      name_zh: nameIn('zh', shortest),
      own_name: nameIn(shortest, shortest),
      iso_639_1: found.iso6391 ?? null,
      iso_639_2b: found.iso6392B ?? null,
      iso_639_3: found.iso6393,
      scope: found.scope,
      status: found.type,
      right_to_left: rightToLeft.has(new Intl.Locale(shortest).maximize().script ?? ''),
    };
  },
});

const rightToLeft: ReadonlySet<string> = new Set(['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo', 'Adlm', 'Rohg', 'Mand']);

/** Null where the data of the locale does not have it. */
function nameIn(locale: string, code: string): string | null {
  if (Intl.DisplayNames.supportedLocalesOf(locale).length === 0) return null;
  return new Intl.DisplayNames(locale, { type: 'language', fallback: 'none' }).of(code) ?? null;
}
