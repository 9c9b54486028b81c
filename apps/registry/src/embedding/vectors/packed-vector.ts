/** Largest magnitude of a packed component. */
const STEPS = 127;

/**
 * The direction of a vector in one byte a component: a quarter of the space, and cosines that differ by about a thousandth. Its
 * length is lost, which cosines do not ask for.
 */
export function packVector(vector: Float32Array): Int8Array {
  let largest = 0;
  for (const component of vector) largest = Math.max(largest, Math.abs(component));
  return largest === 0
    ? new Int8Array(vector.length)
    : Int8Array.from(vector, (component) => Math.round((component / largest) * STEPS));
}
