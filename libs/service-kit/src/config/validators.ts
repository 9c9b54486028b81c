import { parseCredits, type Credits } from '@capability-router/kernel';
import { EnvError, makeExactValidator, type OptionalValidatorSpec, type RequiredValidatorSpec } from 'envalid';

/** Every variable says this about itself. `default: undefined` makes it optional. */
interface Variable<T> {
  readonly desc: string;
  readonly example?: string;
  readonly default?: T | undefined;
}

type SpecOf<T, V extends Variable<T>> = V extends { readonly default: infer D }
  ? undefined extends D
    ? OptionalValidatorSpec<T>
    : RequiredValidatorSpec<T>
  : RequiredValidatorSpec<T>;

function variable<T, V extends Variable<T>>(options: V, parse: (input: string) => T): SpecOf<T, V> {
  // envalid types a default by overloads, which cannot be chosen generically.
  const make = makeExactValidator<T>(parse) as unknown as (spec: Variable<T>) => SpecOf<T, V>;
  return make(options);
}

export interface NumberBounds {
  readonly min: number;
  readonly max: number;
}

/** A whole number within bounds; the unit belongs into the variable's name (`…_MS`, `…_BYTES`). */
export function integer<V extends Variable<number> & NumberBounds>(options: V): SpecOf<number, V> {
  const { min, max, ...rest } = options;
  const parse = (input: string): number => {
    const value = Number(input);
    if (!/^-?\d+$/.test(input) || value < min || value > max) {
      throw new EnvError(`must be a whole number from ${min} to ${max}, got "${input}"`);
    }
    return value;
  };
  return variable<number, V>(rest as unknown as V, parse);
}

/** A number from 0 to 1. */
export function fraction<V extends Variable<number>>(options: V): SpecOf<number, V> {
  return variable<number, V>(options, (input) => {
    const value = Number(input);
    if (!/^\d*\.?\d+$/.test(input) || value > 1) throw new EnvError(`must be a number from 0 to 1, got "${input}"`);
    return value;
  });
}

export function text<V extends Variable<string>>(options: V): SpecOf<string, V> {
  return variable<string, V>(options, (input) => input);
}

export function flag<V extends Variable<boolean>>(options: V): SpecOf<boolean, V> {
  return variable<boolean, V>(options, (input) => {
    if (input === 'true' || input === '1') return true;
    if (input === 'false' || input === '0') return false;
    throw new EnvError(`must be true or false, got "${input}"`);
  });
}

export function oneOf<const C extends string, V extends Variable<C>>(choices: readonly C[], options: V): SpecOf<C, V> {
  return variable<C, V>(options, (input) => {
    const found = choices.find((choice) => choice === input);
    if (found === undefined) throw new EnvError(`must be one of ${choices.join(', ')}, got "${input}"`);
    return found;
  });
}

/** A URL of one of the given schemes, without a trailing slash. The value is never repeated: it may hold a password. */
export function url<V extends Variable<string>>(schemes: readonly string[], options: V): SpecOf<string, V> {
  return variable<string, V>(options, (input) => parseUrl(input, schemes));
}

/** Comma-separated URLs, at least one. */
export function urlList<V extends Variable<string[]>>(schemes: readonly string[], options: V): SpecOf<string[], V> {
  return variable<string[], V>(options, (input) => splitList(input).map((entry) => parseUrl(entry, schemes)));
}

/** Comma-separated values, at least one. */
export function list<V extends Variable<string[]>>(options: V): SpecOf<string[], V> {
  return variable<string[], V>(options, splitList);
}

/** An amount of credits with at most six decimals. */
export function creditAmount<V extends Variable<Credits>>(options: V): SpecOf<Credits, V> {
  return variable<Credits, V>(options, (input) => {
    try {
      return parseCredits(input);
    } catch (cause) {
      throw new EnvError(cause instanceof Error ? cause.message : 'is not an amount of credits');
    }
  });
}

/** A JSON object. The value is never repeated: it may be a private key. */
export function jsonObject<V extends Variable<Record<string, unknown>>>(
  options: V,
): SpecOf<Record<string, unknown>, V> {
  return variable<Record<string, unknown>, V>(options, (input) => {
    let value: unknown;
    try {
      value = JSON.parse(input);
    } catch {
      throw new EnvError('must be a JSON object; it does not parse');
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new EnvError('must be a JSON object');
    return value as Record<string, unknown>;
  });
}

function splitList(input: string): string[] {
  const entries = input.split(',').map((entry) => entry.trim());
  if (entries.some((entry) => entry === '')) throw new EnvError('must be a comma-separated list without empty entries');
  return entries;
}

function parseUrl(input: string, schemes: readonly string[]): string {
  const parsed = URL.canParse(input) ? new URL(input) : undefined;
  if (parsed === undefined || !schemes.includes(parsed.protocol.slice(0, -1))) {
    throw new EnvError(`must be a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`);
  }
  return input.replace(/\/+$/, '');
}
