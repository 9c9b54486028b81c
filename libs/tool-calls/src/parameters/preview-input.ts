import { isSecret, NOT_SHOWN, wellFormed } from '@capability-router/kernel';

/** Characters of JSON that a validation detail echoes; a longer input is left out with its size. */
const MAX_INPUT_CHARACTERS = 200;
/** JSON writes half of a surrogate pair so, and a whole one as it is. */
const hasHalves = /\\ud[89a-f]/i;

/**
 * The faulty input as a detail may show it: small values as they are, large ones as a note of their size. Undefined for a number
 * that JSON has no form of.
 */
export function previewInput(input: unknown): unknown {
  if (input === undefined || (typeof input === 'number' && !Number.isFinite(input))) return undefined;
  if (isSecret(undefined, input)) return NOT_SHOWN;
  const text = jsonOf(input);
  if (text === undefined) return '(nested too deeply to be shown)';
  if (typeof input === 'string' && text.length <= MAX_INPUT_CHARACTERS) return wellFormed(input);
  if (hasHalves.test(text)) return '(halves of characters, which cannot be shown)';
  return text.length <= MAX_INPUT_CHARACTERS ? input : `(${text.length} characters of JSON)`;
}

/** `undefined`: the value nests beyond what the stack holds. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
