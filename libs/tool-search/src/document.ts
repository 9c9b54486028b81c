/** The texts of a tool that are searched, in every language at once. */
export interface SearchDocument {
  readonly toolId: string;
  readonly name: readonly string[];
  readonly description: readonly string[];
  readonly provider: readonly string[];
  readonly category: readonly string[];
  readonly params: readonly string[];
  /** Words of searches that led to a success of this tool. `weight`: how much of that there was lately, above 0. */
  readonly feedback?: readonly { readonly term: string; readonly weight: number }[];
  /** Decides between tools whose scores are nearly the same, and nothing else. */
  readonly quality?: ToolQuality;
}

export interface ToolQuality {
  /** 0 to 1. */
  readonly successRate?: number;
  readonly averageMs?: number;
  /** The price of a typical call. */
  readonly priceMicroCredits?: number;
}

export const searchFields = ['id', 'name', 'description', 'provider', 'category', 'params', 'feedback'] as const;
export type SearchField = (typeof searchFields)[number];
