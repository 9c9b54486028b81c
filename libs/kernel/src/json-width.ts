/**
 * Members of one object in a request body. An object of hundreds of thousands takes the parser seconds, in which nobody
 * else is served; a list of as many values takes it a few milliseconds.
 */
export const MAX_JSON_MEMBERS = 20_000;

export const tooWideMessage =
  `An object of the request body has more than ${MAX_JSON_MEMBERS} members. ` +
  'Send what is many of a kind as a list, or as rows of their own.';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Has an object of this JSON in UTF-8 more than `maxMembers`? One pass over the bytes, without building anything. What is
 * no JSON may get either answer: to refuse it is for the parser. Not for JSON that nests without bound.
 */
export function hasWiderObject(json: Uint8Array, maxMembers: number = MAX_JSON_MEMBERS): boolean {
  const end = json.length;
  // A member takes four bytes at least: `"":0`.
  if (end < maxMembers * 4) return false;
  const outer: number[] = [];
  let members = 0;
  for (let index = 0; index < end; index += 1) {
    const byte = json[index];
    if (byte === QUOTE) {
      index += 1;
      while (index < end && json[index] !== QUOTE) index += json[index] === BACKSLASH ? 2 : 1;
    } else if (byte === COLON) {
      members += 1;
      if (members > maxMembers) return true;
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      outer.push(members);
      members = 0;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      members = outer.pop() ?? 0;
    }
  }
  return false;
}
