import { plainToInstance, type ClassConstructor } from 'class-transformer';
import { validateSync } from 'class-validator';
import type { ValidationDetail } from '@capability-router/contracts';
import { AppError, fail, isJsonObject, ok, type Result } from '@capability-router/kernel';
import { standInName, withoutStandIns, withStandIns } from './constructor-members.js';
import { toValidationDetails } from './validation-details.js';

export interface ValidateOptions {
  /** Unknown members are ignored (and dropped) instead of refused. */
  readonly allowUnknown?: boolean;
  /** First element of each `loc`. */
  readonly location?: 'body' | 'query' | 'path';
}

/**
 * Checks a parsed body against a class with class-validator decorators. The value is an instance of the class. What a member of the class
 * begins with is its default: for whoever leaves the member out, or sends null where null is let through.
 */
export function validateBody<T extends object>(
  dto: ClassConstructor<T>,
  body: unknown,
  options: ValidateOptions = {},
): Result<T, ValidationDetail[]> {
  const location = [options.location ?? 'body'];
  if (!isJsonObject(body)) {
    return fail([
      { type: 'dict_type', loc: location, msg: 'Input should be a valid object', allowed: { type: 'object' } },
    ]);
  }
  const plain = withStandIns(body) as typeof body;
  const instance = plainToInstance(dto, plain, { exposeUnsetFields: false });
  const errors = validateSync(instance, {
    whitelist: true,
    forbidNonWhitelisted: options.allowUnknown !== true,
    forbidUnknownValues: true,
  });
  if (errors.length === 0) return ok(withDefaults(dto, plain === body ? instance : (withoutStandIns(instance) as T)));
  const details = toValidationDetails(errors, location);
  return fail(details.map((detail) => ({ ...detail, loc: detail.loc.map(standInName) })));
}

/** Class-transformer gives what is absent its default; null counts as absent. */
function withDefaults<T extends object>(dto: ClassConstructor<T>, instance: T): T {
  const nulls = Object.keys(instance).filter((name) => Reflect.get(instance, name) === null);
  if (nulls.length === 0) return instance;
  const fresh = new dto();
  for (const name of nulls)
    if (Reflect.get(fresh, name) !== undefined) Reflect.set(instance, name, Reflect.get(fresh, name));
  return instance;
}

/** As `validateBody`, for routes whose refusal is the plain 422 `{status, message, detail[]}`. Throws `AppError`. */
export function requireValid<T extends object>(dto: ClassConstructor<T>, body: unknown, options?: ValidateOptions): T {
  const result = validateBody(dto, body, options);
  if (result.ok) return result.value;
  throw new AppError('validation_error', messageOfDetails(result.error), { details: result.error });
}

/** One line for people and models: the first fault, and how many more there are. */
export function messageOfDetails(details: readonly ValidationDetail[]): string {
  const [first] = details;
  if (first === undefined) return 'The request is invalid.';
  const field = first.loc.slice(1).join('.');
  const more = details.length > 1 ? ` (and ${details.length - 1} more)` : '';
  return `${field === '' ? 'The request' : `"${field}"`} is invalid: ${first.msg}${more}`;
}
