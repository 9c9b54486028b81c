import { createRequire } from 'node:module';
import type { Index } from 'usearch';

/** Its ES module finds the native part by a stack trace, which fails for ever where the caller has no file. */
const requireCommonJs = createRequire(import.meta.url);

/** Neighbours of a node; more finds better and takes more memory. */
const CONNECTIVITY = 16;
const EXPANSION_ADD = 64;
const EXPANSION_SEARCH = 256;

export interface Neighbour {
  readonly toolId: string;
  readonly cosine: number;
}

/**
 * Vectors of tools, searched approximately (HNSW). The dimensions are those of the first vector; others are turned away.
 * The native library is loaded when there is a first vector, so that a deployment without a model never needs it.
 */
export class VectorIndex {
  private readonly keys = new Map<string, bigint>();
  private readonly toolIds = new Map<bigint, string>();
  private nextKey = 0n;
  private index: Index | undefined;
  private width: number | undefined;

  get size(): number {
    return this.keys.size;
  }

  get dimensions(): number | undefined {
    return this.width;
  }

  /** False for a vector of other dimensions: the tool then has none, for the one it had was of another text. */
  put(toolId: string, vector: Int8Array): boolean {
    const index = (this.index ??= this.create(vector.length));
    this.remove(toolId);
    if (vector.length !== this.width) return false;
    const key = this.nextKey++;
    // Halves: in whole bytes the library's cosines are off by two hundredths.
    index.add(key, Float32Array.from(vector));
    this.keys.set(toolId, key);
    this.toolIds.set(key, toolId);
    return true;
  }

  remove(toolId: string): void {
    const key = this.keys.get(toolId);
    if (key === undefined) return;
    this.index?.remove(key);
    this.keys.delete(toolId);
    this.toolIds.delete(key);
  }

  /** At most `count` tools, the most alike first; none for a vector of other dimensions. */
  nearest(vector: Float32Array, count: number): Neighbour[] {
    if (this.index === undefined || vector.length !== this.width || this.size === 0) return [];
    const { keys, distances } = this.index.search(vector, Math.min(count, this.size), 0);
    return [...keys].flatMap((key, place) => {
      const toolId = this.toolIds.get(key);
      return toolId === undefined ? [] : [{ toolId, cosine: 1 - (distances[place] ?? 1) }];
    });
  }

  private create(dimensions: number): Index {
    const { Index, MetricKind, ScalarKind } = requireCommonJs('usearch') as typeof import('usearch');
    this.width = dimensions;
    return new Index({
      dimensions,
      metric: MetricKind.Cos,
      quantization: ScalarKind.F16,
      connectivity: CONNECTIVITY,
      expansion_add: EXPANSION_ADD,
      expansion_search: EXPANSION_SEARCH,
      multi: false,
    });
  }
}
