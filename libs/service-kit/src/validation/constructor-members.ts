/**
 * Members that are called as what every object has. class-transformer takes one called `constructor` for the class of its object: it
 * throws, or leaves the member out; class-validator takes the others for members that every class knows. So they are given
 * other names while a body becomes an instance.
 */
const names: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));
const MARK = '\u0000';
const standIns: ReadonlySet<string> = new Set([...names].map((name) => MARK + name));

const toStandIn = (name: string): string => (names.has(name) ? MARK + name : name);
const toName = (name: string): string => (standIns.has(name) ? name.slice(MARK.length) : name);

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;

const renamed = (value: Members, nameOf: (name: string) => string, of: (member: unknown) => unknown): Members =>
  Object.fromEntries(Object.entries(value).map(([name, member]) => [nameOf(name), of(member)]));

/** The same value where there is no such member in it, and a copy with stand-ins where there is. */
export const withStandIns = (value: unknown): unknown => (hasName(value) ? stood(value) : value);

function hasName(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasName);
  if (!isObject(value)) return false;
  return Object.keys(value).some((name) => names.has(name) || hasName(value[name]));
}

function stood(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stood);
  return isObject(value) ? renamed(value, toStandIn, stood) : value;
}

/** The way back: instances of classes stay the instances that they are. */
export function withoutStandIns(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutStandIns);
  if (!isObject(value)) return value;
  if (Object.getPrototypeOf(value) === Object.prototype) return renamed(value, toName, withoutStandIns);
  for (const name of Object.keys(value)) Reflect.set(value, name, withoutStandIns(value[name]));
  return value;
}

export const standInName = (part: string | number): string | number => (typeof part === 'string' ? toName(part) : part);
