import { loadChineseGlosses, ToolIndexThread } from '@capability-router/tool-search';
import type { OpenIndex } from '../search-index/index-keeper.js';

/** An index with everything that is shipped, for a `CatalogueCopy` that the test closes. */
export const openIndex: OpenIndex = (onEnd) =>
  new ToolIndexThread({ glosses: loadChineseGlosses(), wordVectors: true, onEnd });
