import type { LocalizedText } from '../tools/tool-contract.js';

export const languages = ['en', 'zh'] as const;
export type Language = (typeof languages)[number];

/** Entries of an `Accept-Language` header that are looked at. */
const MAX_ACCEPTED_LANGUAGES = 20;

/** The language of an answer: as asked for, else the best of `Accept-Language` (RFC 9110 §12.5.4), else English. */
export function negotiateLanguage(requested: Language | undefined, acceptLanguage: string | undefined): Language {
  if (requested !== undefined) return requested;
  let best: { language: Language; quality: number } | undefined;
  for (const entry of (acceptLanguage ?? '').split(',', MAX_ACCEPTED_LANGUAGES)) {
    const [range = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    const language = languageOf(range);
    const quality = qualityOf(parameters);
    if (language !== undefined && quality > (best?.quality ?? 0)) best = { language, quality };
  }
  return best?.language ?? 'en';
}

function languageOf(range: string): Language | undefined {
  if (range === '*') return 'en';
  const primary = range.split('-', 1)[0];
  return languages.find((language) => language === primary);
}

function qualityOf(parameters: readonly string[]): number {
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  if (quality === undefined) return 1;
  const value = Number(quality.slice(2));
  return value >= 0 && value <= 1 ? value : 0;
}

/** English where there is no text in the language. */
export const localized = (text: LocalizedText, language: Language): string =>
  language === 'zh' ? (text.zh ?? text.en) : text.en;
