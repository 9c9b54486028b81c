/** 32-bit words of signs that are kept of a direction. */
export const SIGN_WORDS = 4;
/** Dimensions whose signs are kept, the first ones: each says as much as any other, and more of them find hardly anything else. */
export const SIGNED_DIMENSIONS = 32 * SIGN_WORDS;

/** The signs of directions of `dimensions` values each, one after the other: a bit is set for a value above 0. */
export function signsOf(directions: ArrayLike<number>, dimensions: number): Uint32Array {
  const count = dimensions === 0 ? 0 : directions.length / dimensions;
  const signed = Math.min(dimensions, SIGNED_DIMENSIONS);
  const signs = new Uint32Array(count * SIGN_WORDS);
  for (let at = 0; at < count; at += 1) {
    for (let i = 0; i < signed; i += 1) {
      if ((directions[at * dimensions + i] ?? 0) <= 0) continue;
      const word = at * SIGN_WORDS + (i >>> 5);
      signs[word] = (signs[word] ?? 0) | (1 << (i & 31));
    }
  }
  return signs;
}
