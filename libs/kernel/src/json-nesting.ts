/**
 * Levels of lists and objects in a request body. Far above what any tool takes, and far below the some thousand levels
 * at which code that walks a value by recursion runs out of stack.
 */
export const MAX_JSON_LEVELS = 100;

export const tooDeepMessage =
  `The request body nests lists and objects more than ${MAX_JSON_LEVELS} levels deep. ` +
  'Flatten it, or send the deep part as a text.';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Does JSON in UTF-8 nest deeper than `maxLevels`? One pass over the bytes, without building anything; brackets in
 * strings do not count. What is no JSON may get either answer: to refuse it is for the parser.
 */
export function isNestedDeeper(json: Uint8Array, maxLevels: number = MAX_JSON_LEVELS): boolean {
  const end = json.length;
  let level = 0;
  for (let index = 0; index < end; index += 1) {
    const byte = json[index];
    if (byte === QUOTE) {
      index += 1;
      while (index < end && json[index] !== QUOTE) index += json[index] === BACKSLASH ? 2 : 1;
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      level += 1;
      if (level > maxLevels) return true;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      level -= 1;
    }
  }
  return false;
}
