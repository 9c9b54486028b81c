/** What of a tool is searched, in every language at once. */
export interface SearchDocument {
  readonly toolId: string;
  readonly name: readonly string[];
  readonly description: readonly string[];
  readonly provider: readonly string[];
  readonly category: readonly string[];
  readonly params: readonly string[];
}

export const searchFields = ['id', 'name', 'description', 'provider', 'category', 'params'] as const;
export type SearchField = (typeof searchFields)[number];

/** How much an occurrence counts by where it stands. */
export const fieldWeights: Readonly<Record<SearchField, number>> = {
  id: 2,
  name: 4,
  description: 2,
  provider: 1,
  category: 1.5,
  params: 0.7,
};

export function textOf(document: SearchDocument, field: SearchField): string {
  return field === 'id' ? document.toolId : document[field].join('\n');
}
