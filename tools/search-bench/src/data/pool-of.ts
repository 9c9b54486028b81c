import type { EvalQuery, EvalTool } from './eval-data.js';

/**
 * `count` tools: all that serve some query, and of the others as many as are missing, spread evenly. All tools where there
 * are fewer.
 */
export function poolOf(tools: readonly EvalTool[], queries: readonly EvalQuery[], count: number): EvalTool[] {
  const relevant = new Set(queries.flatMap(({ relevant }) => relevant));
  const others = tools.filter(({ id }) => !relevant.has(id));
  const wanted = Math.min(others.length, Math.max(0, count - (tools.length - others.length)));
  const share = (index: number): number => Math.floor((index * wanted) / others.length);
  const chosen = new Set(others.filter((_, index) => share(index + 1) > share(index)).map(({ id }) => id));
  return tools.filter(({ id }) => relevant.has(id) || chosen.has(id));
}
