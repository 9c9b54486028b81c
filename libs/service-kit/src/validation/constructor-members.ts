/**
 * class-transformer takes a member of this name for the class of its object: it throws, or leaves the member out. So it is given
 * another name while a body becomes an instance.
 */
const NAME = 'constructor';
const STAND_IN = '\u0000constructor';

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;

const renamed = (value: Members, from: string, to: string, of: (member: unknown) => unknown): Members =>
  Object.fromEntries(Object.entries(value).map(([name, member]) => [name === from ? to : name, of(member)]));

/** The same value where there is no such member in it, and a copy with stand-ins where there is. */
export const withStandIns = (value: unknown): unknown => (hasName(value) ? stood(value) : value);

function hasName(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasName);
  if (!isObject(value)) return false;
  return Object.hasOwn(value, NAME) || Object.values(value).some(hasName);
}

function stood(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stood);
  return isObject(value) ? renamed(value, NAME, STAND_IN, stood) : value;
}

/** The way back: instances of classes stay the instances that they are. */
export function withoutStandIns(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutStandIns);
  if (!isObject(value)) return value;
  if (Object.getPrototypeOf(value) === Object.prototype) return renamed(value, STAND_IN, NAME, withoutStandIns);
  for (const name of Object.keys(value)) Reflect.set(value, name, withoutStandIns(value[name]));
  return value;
}

export const standInName = (part: string | number): string | number => (part === STAND_IN ? NAME : part);
