import { localized, type Language, type ToolContract } from '@capability-router/contracts';

/** Categories that a notice names at most. */
const MAX_CATEGORIES = 3;

/**
 * An answer without a result says, beside `error_message: null`, that nothing fits, and the categories of the tools that are
 * nearest to the request, the most frequent first. `near`: best first.
 */
export function noticeOf(near: readonly ToolContract[], language: Language): string {
  const counts = new Map<string, number>();
  for (const { categoryDefinitions } of near) {
    for (const { name } of categoryDefinitions) {
      const category = localized(name, language);
      counts.set(category, (counts.get(category) ?? 0) + 1);
    }
  }
  const named = [...counts].sort(([, a], [, b]) => b - a).slice(0, MAX_CATEGORIES);
  const names = named.map(([name]) => name);
  if (names.length === 0) return nothing[language];
  return language === 'zh'
    ? `没有足够符合该请求的工具。最接近的类别：${names.join('、')}。`
    : `No tool fits this request well enough. The nearest categories: ${names.join(', ')}.`;
}

const nothing: Readonly<Record<Language, string>> = {
  en: 'No tool fits this request. Say in a few words what the tool is to do, such as "convert an amount between currencies".',
  zh: '没有符合该请求的工具。请用几个词说明工具要做什么，例如“在货币之间换算金额”。',
};
