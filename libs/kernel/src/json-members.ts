const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const COMMA = 0x2c;
/** Where code that copies members sets the prototype instead. */
const FORBIDDEN = '__proto__';
/** Members up to which an object's names are compared one by one, which is cheaper than a set. */
const FEW_MEMBERS = 8;
/** Characters of a name that a message shows. */
const MAX_SHOWN_LENGTH = 60;

/** The names of one object so far. */
class Names {
  private few: string[] | undefined = [];
  private many: Set<string> | undefined;

  /** False where the name is there already. */
  add(name: string): boolean {
    if (this.few === undefined) {
      const many = (this.many ??= new Set());
      const before = many.size;
      return many.add(name).size > before;
    }
    if (this.few.includes(name)) return false;
    this.few.push(name);
    if (this.few.length > FEW_MEMBERS) {
      this.many = new Set(this.few);
      this.few = undefined;
    }
    return true;
  }
}

/**
 * The fault of the members of a JSON text, as a sentence for whoever sent it: a name that is there twice in an object
 * (a parser would silently keep the last, and another the first), or one that no member can have. Undefined where nothing
 * is. The text must be JSON; one pass, by characters.
 */
export function memberFault(json: string): string | undefined {
  /** The names in each object around this place; undefined for a list. */
  const around: (Names | undefined)[] = [];
  let names: Names | undefined;
  let nameComes = false;
  for (let index = 0; index < json.length; index += 1) {
    const character = json.charCodeAt(index);
    if (character === QUOTE) {
      const start = index;
      index = endOfString(json, start);
      if (!nameComes || names === undefined) continue;
      nameComes = false;
      const name = nameBetween(json, start, index);
      if (name === FORBIDDEN) return `A member cannot have the name "${FORBIDDEN}". Leave it out.`;
      if (!names.add(name)) {
        const shown = JSON.stringify(name.slice(0, MAX_SHOWN_LENGTH));
        return `The request body has the member ${shown} twice in one object. Send it once.`;
      }
    } else if (character === OPEN_OBJECT || character === OPEN_LIST) {
      around.push(names);
      names = character === OPEN_OBJECT ? new Names() : undefined;
      nameComes = names !== undefined;
    } else if (character === CLOSE_OBJECT || character === CLOSE_LIST) {
      names = around.pop();
      nameComes = false;
    } else if (character === COMMA) {
      nameComes = names !== undefined;
    }
  }
  return undefined;
}

/** Where the string that begins at `start` has its other quote. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let escapes = 0;
    while (json.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return json.length;
}

/** `"a"` and `"\\u0061"` are the same name. */
function nameBetween(json: string, start: number, end: number): string {
  const name = json.slice(start + 1, end);
  return name.includes('\\') ? (JSON.parse(json.slice(start, end + 1)) as string) : name;
}
