const CONTINUATION_MASK = 0b1100_0000;
const CONTINUATION_BITS = 0b1000_0000;

/** The longest prefix of at most `maxBytes` of UTF-8 that ends between two characters. */
export function utf8Prefix(bytes: Buffer, maxBytes: number): string {
  if (bytes.length <= maxBytes) return bytes.toString('utf8');
  let end = maxBytes;
  // A continuation byte at the cut belongs to a character that began before it.
  while (end > 0 && ((bytes[end] ?? 0) & CONTINUATION_MASK) === CONTINUATION_BITS) end -= 1;
  return bytes.toString('utf8', 0, end);
}
