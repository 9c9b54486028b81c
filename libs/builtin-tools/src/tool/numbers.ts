/** `digits` after the point, without the noise of binary fractions; never minus zero. */
export function rounded(value: number, digits: number): number {
  const scale = 10 ** digits;
  return Math.round(value * scale) / scale || 0;
}
