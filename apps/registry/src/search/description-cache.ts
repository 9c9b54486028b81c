import type { Language, ToolContract } from '@capability-router/contracts';
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
  private readonly held = new Map<string, Held>();

  constructor(private readonly maxDescriptions = MAX_DESCRIPTIONS) {}

  get size(): number {
    return this.held.size;
  }

  of(tool: ToolContract, language: Language): ToolDescription {
    const key = `${language} ${tool.toolId}`;
    const known = this.held.get(key);
    this.held.delete(key);
    const current =
      known?.version === tool.version
        ? known
        : { version: tool.version, description: describeTool(tool, { language, constraints: false }) };
    // A Map keeps insertion order, so what is used last leaves last.
    this.held.set(key, current);
    if (this.held.size > this.maxDescriptions) {
      const [oldest = key] = this.held.keys();
      this.held.delete(oldest);
    }
    return current.description;
  }
}
