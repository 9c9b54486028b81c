/** Numbers of a model's answer with their shape. */
export interface Numbers {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}

/**
 * One vector per text from what a model answers: `[texts, dimensions]` as it is, `[texts, tokens, dimensions]` pooled over
 * the tokens that are no padding. Throws for any other shape.
 */
export function poolTokens(
  { data, dims }: Numbers,
  mask: readonly (readonly number[])[],
  pooling: 'mean' | 'cls',
): Float32Array[] {
  const [texts = 0, second = 0, third] = dims;
  if (texts !== mask.length || dims.length < 2 || dims.length > 3 || data.length !== dims.reduce((a, b) => a * b, 1)) {
    throw new Error(`the model answered numbers of the shape [${dims.join(', ')}] for ${mask.length} texts`);
  }
  if (third === undefined) return mask.map((_, text) => data.slice(text * second, (text + 1) * second));
  return mask.map((tokens, text) => {
    const pooled = new Float32Array(third);
    const kept = pooling === 'cls' ? [1] : tokens;
    let count = 0;
    for (let token = 0; token < second; token += 1) {
      if (kept[token] !== 1) continue;
      count += 1;
      const from = (text * second + token) * third;
      for (let i = 0; i < third; i += 1) pooled[i] = (pooled[i] ?? 0) + (data[from + i] ?? 0);
    }
    return pooled.map((sum) => sum / Math.max(1, count));
  });
}
