import type { ToolContract } from '@capability-router/contracts';
import { LRUCache } from 'lru-cache';
import type { ToolPlace } from './domain/tool-place.js';

/** All that is kept of every published tool; its contract is read where somebody asks for it. */
export interface KnownTool {
  readonly toolId: string;
  readonly version: number;
  readonly place: ToolPlace;
  /** Ids, each once. */
  readonly capabilities: readonly string[];
  /** May verification run its examples when nobody asks for it? */
  readonly runsExamples: boolean;
}

const MAX_SHARED_PLACES = 10_000;
const none: readonly string[] = [];

/** Makes what is kept of tools, the same parts once. */
export class KnownTools {
  private readonly places = new LRUCache<string, ToolPlace>({ max: MAX_SHARED_PLACES });

  of(tool: ToolContract): KnownTool {
    const { toolId, version, capabilities, binding, provider } = tool;
    return {
      toolId,
      version,
      place: this.placeOf(tool),
      capabilities: capabilities.length === 0 ? none : [...new Set(capabilities.map(({ id }) => id))],
      // Running an example of somebody else's tool may cost money or change something there: the operator decides.
      runsExamples: provider.verification?.runExamples ?? binding.kind === 'builtin',
    };
  }

  private placeOf({ providerId, region, categoryDefinitions }: ToolContract): ToolPlace {
    const key = JSON.stringify([providerId, region, ...categoryDefinitions.map(({ slug }) => slug)]);
    const known = this.places.get(key);
    if (known !== undefined) return known;
    const place = { providerId, region, categories: categoryDefinitions.map(({ slug }) => slug) };
    this.places.set(key, place);
    return place;
  }
}
