import type { SearchDocument } from '../document.js';

export const sampleDocument = (toolId: string, over: Partial<SearchDocument> = {}): SearchDocument => ({
  toolId,
  name: [],
  description: [],
  provider: [],
  category: [],
  params: [],
  ...over,
});
