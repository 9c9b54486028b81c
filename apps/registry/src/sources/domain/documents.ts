import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';

/** A value with the document that it is in, against whose address its references are read. */
export interface Located {
  readonly value: JsonValue;
  /** Address of the document, `''` for one without. */
  readonly base: string;
}

/** A reference that leads nowhere, in a circle, or out of what may be read. The message names it. */
export class ReferenceFault extends Error {
  override readonly name = 'ReferenceFault';
}

/** References that one after another may lead to. */
const MAX_CHAIN = 30;

/** The documents of one import: the root, and those that it refers to. */
export class Documents {
  constructor(
    readonly rootBase: string,
    private readonly byBase: ReadonlyMap<string, JsonValue>,
  ) {}

  get root(): JsonValue {
    return this.byBase.get(this.rootBase) ?? null;
  }

  /** Where a reference leads, and an identity for the place. Throws `ReferenceFault`. */
  resolve(reference: string, base: string): Located & { readonly id: string } {
    const hash = reference.indexOf('#');
    const [address, pointer] = hash === -1 ? [reference, ''] : [reference.slice(0, hash), reference.slice(hash + 1)];
    const target = address === '' ? base : absolute(address, base);
    const document = target === undefined ? undefined : this.byBase.get(target);
    if (target === undefined || document === undefined) {
      throw new ReferenceFault(`The reference "${shown(reference)}" leads out of the document`);
    }
    const value = at(document, pointer);
    if (value === undefined) throw new ReferenceFault(`The reference "${shown(reference)}" leads to nothing`);
    return { value, base: target, id: `${target}#${pointer}` };
  }

  /** The value itself, where it is a reference to one. Throws `ReferenceFault`. */
  follow(located: Located): Located {
    let { value, base } = located;
    for (let steps = 0; isJsonObject(value) && typeof value['$ref'] === 'string'; steps += 1) {
      const reference = value['$ref'];
      if (steps > MAX_CHAIN) throw new ReferenceFault(`The reference "${shown(reference)}" leads back to itself`);
      ({ value, base } = this.resolve(reference, base));
    }
    return { value, base };
  }

  /** The same as an object; an empty one for anything else. */
  object(located: Located): { readonly value: JsonObject; readonly base: string } {
    const { value, base } = this.follow(located);
    return { value: isJsonObject(value) ? value : {}, base };
  }
}

const shown = (reference: string): string => reference.slice(0, 200);

/** The address of the document that a reference is to; undefined for one that cannot be read. */
export function absolute(address: string, base: string): string | undefined {
  if (!URL.canParse(address, base === '' ? undefined : base)) return undefined;
  const url = new URL(address, base === '' ? undefined : base);
  url.hash = '';
  return url.href;
}

function at(document: JsonValue, pointer: string): JsonValue | undefined {
  let value: JsonValue | undefined = document;
  if (pointer === '') return value;
  if (!pointer.startsWith('/')) return undefined;
  for (const part of pointer.slice(1).split('/')) {
    const name = decode(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(value)) value = /^(0|[1-9]\d{0,8})$/.test(name) ? value[Number(name)] : undefined;
    else value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Addresses, beside those known, of documents that a document refers to. Of references that cannot be read there is none. */
export function externalAddresses(document: JsonValue, base: string, known: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  const walk = (value: JsonValue): void => {
    if (Array.isArray(value)) value.forEach(walk);
    if (!isJsonObject(value)) return;
    const reference = value['$ref'];
    if (typeof reference === 'string' && !reference.startsWith('#')) {
      const address = absolute(reference, base);
      if (address !== undefined && !known.has(address)) found.add(address);
    }
    Object.values(value).forEach(walk);
  };
  walk(document);
  return found;
}
