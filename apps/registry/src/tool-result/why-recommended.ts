import type { Language } from '@capability-router/contracts';
import type { SearchField, SearchHit } from '@capability-router/tool-search';

/** Words named in a reason. */
const MAX_WORDS = 4;

const fieldNames: Readonly<Record<Language, Readonly<Record<SearchField, string>>>> = {
  en: {
    id: 'id',
    name: 'name',
    description: 'description',
    category: 'category',
    params: 'parameters',
    provider: 'provider',
    feedback: 'past searches',
  },
  zh: {
    id: 'ID',
    name: '名称',
    description: '描述',
    category: '类别',
    params: '参数',
    provider: '提供方',
    feedback: '过往搜索',
  },
};
/** Where a word stands in several fields, the first of these is named. */
const tellingFields: readonly SearchField[] = [
  'name',
  'description',
  'category',
  'id',
  'params',
  'provider',
  'feedback',
];

/** The reason for a tool that shares no word with the query. */
const byMeaning: Readonly<Record<Language, string>> = {
  en: 'Its description means about what the query asks for, in other words.',
  zh: '描述与查询意思相近，用词不同。',
};

/** One sentence about what of the query was found where; undefined where there is nothing to say. */
export function whyRecommended(hit: SearchHit, language: Language): string | undefined {
  if (hit.exact) return language === 'zh' ? '工具 ID 完全匹配。' : 'The query is the id of this tool.';
  const wordsByField = new Map<SearchField, string[]>();
  for (const { word, fields } of wordsOf(hit.matches).slice(0, MAX_WORDS)) {
    const field = tellingFields.find((candidate) => fields.includes(candidate));
    if (field !== undefined) wordsByField.set(field, [...(wordsByField.get(field) ?? []), word]);
  }
  if (wordsByField.size === 0) return hit.matches.length > 0 ? undefined : byMeaning[language];
  const parts = [...wordsByField].map(([field, words]) => part(fieldNames[language][field], words, language));
  return language === 'zh' ? `${parts.join('，')}。` : `Matches ${parts.join(', ')}.`;
}

/**
 * Each word once, with every field that holds it: a Chinese word matches as it is and by each of its translations. A pair of
 * characters that only joins two words that are named (`行账` of `银行账号`), or that shares a character with a word that was
 * translated (`落时` of `日落时间`), is no word.
 */
function wordsOf(matches: SearchHit['matches']): SearchHit['matches'] {
  const words = new Map<string, readonly SearchField[]>();
  const translated = new Set<string>();
  for (const { word, fields } of matches) {
    if (words.has(word)) translated.add(word);
    else if (joinsWords(word, [...words.keys()])) continue;
    words.set(word, [...(words.get(word) ?? []), ...fields]);
  }
  return [...words]
    .filter(([word]) => translated.has(word) || !overlaps(word, [...translated]))
    .map(([word, fields]) => ({ word, fields }));
}

function joinsWords(word: string, known: readonly string[]): boolean {
  const [first, second] = pairOf(word);
  return (
    first !== undefined &&
    second !== undefined &&
    known.some((other) => other.endsWith(first)) &&
    known.some((other) => other.startsWith(second))
  );
}

function overlaps(word: string, known: readonly string[]): boolean {
  const [first, second] = pairOf(word);
  return (
    first !== undefined &&
    second !== undefined &&
    known.some((other) => other.includes(word) || other.endsWith(first) || other.startsWith(second))
  );
}

const pairOf = (word: string): readonly string[] => ideographicPair.exec(word)?.slice(1) ?? [];
const ideographicPair = /^(\p{Script=Han})(\p{Script=Han})$/u;

function part(field: string, words: readonly string[], language: Language): string {
  return language === 'zh'
    ? `${field}匹配${words.map((word) => `“${word}”`).join('、')}`
    : `${words.map((word) => `"${word}"`).join(', ')} in its ${field}`;
}
