import type { Language, ToolContract } from '@capability-router/contracts';
import { LRUCache } from 'lru-cache';
import { describeTool, type ToolDescription } from '../tool-result/tool-result.js';

/** Descriptions that are held, about 10 kB each; some tools are found again and again. */
const MAX_DESCRIPTIONS = 2_000;

interface Held {
  readonly version: number;
  readonly description: ToolDescription;
}

/**
 * The description of a tool that Discover shows, made once for each contract and language. A contract that changes has
 * another version, so what is held of the former is never given for it.
 */
export class DescriptionCache {
  private readonly held: LRUCache<string, Held>;

  constructor(maxDescriptions = MAX_DESCRIPTIONS) {
    this.held = new LRUCache({ max: maxDescriptions });
  }

  get size(): number {
    return this.held.size;
  }

  of(tool: ToolContract, language: Language): ToolDescription {
    const key = `${language} ${tool.toolId}`;
    const { version } = tool;
    const known = this.held.get(key);
    if (known?.version === version) return known.description;
    const description = describeTool(tool, { language, constraints: false });
    this.held.set(key, { version, description });
    return description;
  }
}
