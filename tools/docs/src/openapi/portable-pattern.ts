/**
 * A pattern as the document has it: without flags, which JSON Schema does not have, and without what the regular expressions of
 * other languages do not know. Python has no classes of Unicode, Rust neither `\0` nor halves of surrogate pairs, which no text
 * in UTF-8 holds anyhow.
 */
export function portablePattern({ source, flags }: RegExp): string {
  const dotted = flags.includes('s') ? source.replaceAll('.', '[^]') : source;
  return dotted
    .replaceAll(/\\0(?!\d)/g, String.raw`\u0000`)
    .replaceAll(String.raw`\P{Cc}`, `[^${control}]`)
    .replaceAll(String.raw`\p{Cc}`, control)
    .replaceAll(String.raw`\p{Cs}`, '');
}

const control = String.raw`\u0000-\u001f\u007f-\u009f`;
