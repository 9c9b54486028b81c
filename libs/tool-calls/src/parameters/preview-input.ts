/** Characters of JSON that a validation detail echoes; a longer input is left out with its size. */
const MAX_INPUT_CHARACTERS = 200;

/** The faulty input as a detail may show it: small values as they are, large ones as a note of their size. */
export function previewInput(input: unknown): unknown {
  if (input === undefined) return undefined;
  const text = JSON.stringify(input);
  return text.length <= MAX_INPUT_CHARACTERS ? input : `(${text.length} characters of JSON)`;
}
