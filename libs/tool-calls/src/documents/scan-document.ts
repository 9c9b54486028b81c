import type { ValidationDetail } from '@capability-router/contracts';
import { MAX_JSON_MEMBERS } from '@capability-router/kernel';

/** Levels of nesting. */
const MAX_DEPTH = 60;
/** Faults that one scan lists. */
const MAX_DETAILS = 20;

/**
 * Control characters other than tab and line ends; those that turn the direction of text, with which a name can be made
 * to look like another; and halves of a surrogate pair.
 */
const unwanted = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\p{Surrogate}]/u;

type Loc = readonly (string | number)[];

/**
 * Finds what no field of a document may hold, wherever it is: characters that are no text, numbers that JSON has not, a
 * name that means something to JavaScript, and more values than anybody reads. It runs before anything else, because a
 * few lines of YAML can stand for billions of values; what an alias repeats counts each time.
 */
export function scanDocument(
  document: unknown,
  base: Loc,
  maxValues: number,
): { readonly details: ValidationDetail[]; readonly values: number } {
  const details: ValidationDetail[] = [];
  const path: (string | number)[] = [...base];
  let values = 0;
  const fault = (type: string, msg: string): boolean => details.push({ type, loc: [...path], msg }) < MAX_DETAILS;

  /** False ends the scan. */
  const scan = (value: unknown): boolean => {
    values += 1;
    if (values > maxValues) return end('too_long', `Document should have at most ${maxValues} values`);
    if (path.length - base.length > MAX_DEPTH) return end('too_deep', `At most ${MAX_DEPTH} levels can be nested`);
    if (typeof value === 'string') return isText(value);
    if (typeof value === 'number') return Number.isFinite(value) || fault('finite_number', 'Input should be finite');
    if (Array.isArray(value)) return value.every((item, index) => within(index, () => scan(item)));
    if (typeof value !== 'object' || value === null) return true;
    // Only YAML comes so wide: JSON is looked at before it is parsed.
    if (Object.keys(value).length > MAX_JSON_MEMBERS) {
      fault('too_long', `Object should have at most ${MAX_JSON_MEMBERS} members`);
      return false;
    }
    for (const name in value) {
      if (!within(name, () => isName(name) && scan((value as Record<string, unknown>)[name]))) return false;
    }
    return true;
  };
  const within = (part: string | number, look: () => boolean): boolean => {
    path.push(part);
    const goOn = look();
    path.pop();
    return goOn;
  };
  const isText = (text: string): boolean =>
    !unwanted.test(text) || fault('control_character', 'Text should have no control characters');
  const isName = (name: string): boolean =>
    isText(name) && (name !== '__proto__' || fault('extra_forbidden', 'No member can have this name'));
  const end = (type: string, msg: string): boolean => {
    // The whole document is named: the place where the limit was met says nothing.
    details.push({ type, loc: base, msg });
    return false;
  };
  scan(document);
  return { details, values };
}
