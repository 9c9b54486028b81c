/** Numbers of a model's answer with their shape. */
export interface Numbers {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}

/**
 * The vector of one text from what a model answers: `[1, dimensions]` as it is, `[1, tokens, dimensions]` pooled over
 * the tokens that `present` marks with 1. Throws for any other shape.
 */
export function poolTokens({ data, dims }: Numbers, present: readonly number[], pooling: 'mean' | 'cls'): Float32Array {
  const [texts, tokens = 0, dimensions] = dims;
  if (texts !== 1 || dims.length < 2 || dims.length > 3 || data.length !== dims.reduce((a, b) => a * b, 1)) {
    throw new Error(`the model answered numbers of the shape [${dims.join(', ')}] for one text`);
  }
  if (dimensions === undefined) return data.slice();
  const kept = pooling === 'cls' ? [1] : present;
  const pooled = new Float32Array(dimensions);
  let count = 0;
  for (let token = 0; token < tokens; token += 1) {
    if (kept[token] !== 1) continue;
    count += 1;
    for (let i = 0; i < dimensions; i += 1) pooled[i] = (pooled[i] ?? 0) + (data[token * dimensions + i] ?? 0);
  }
  return pooled.map((sum) => sum / Math.max(1, count));
}
