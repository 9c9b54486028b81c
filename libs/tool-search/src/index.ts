export { searchFields } from './document.js';
export type { SearchDocument, SearchField } from './document.js';
export { MAX_QUERY_TERMS, ToolIndex } from './tool-index.js';
export type { SearchHit } from './tool-index.js';
