import { isJsonObject } from '@capability-router/kernel';
import { jest } from '@jest/globals';
import { getMetadataStorage } from 'class-validator';
import fc from 'fast-check';

export type RequestClass = abstract new (...parameters: never[]) => object;

/** The classes by which a body is judged while `work` runs, in their order. Nothing is changed: it is only looked on. */
export async function classesJudgedBy(work: () => Promise<unknown>): Promise<RequestClass[]> {
  const spy = jest.spyOn(getMetadataStorage(), 'getTargetValidationMetadatas');
  try {
    await work();
    return [...new Set(spy.mock.calls.map(([target]) => target as RequestClass))];
  } finally {
    spy.mockRestore();
  }
}

export interface Member {
  readonly name: string;
  readonly isOptional: boolean;
  /** Null may stand in its place. */
  readonly isNullable: boolean;
  /** It is an object of a class of its own, or a list of such. */
  readonly isNested: boolean;
  readonly isList: boolean;
  /** One that its class accepts; of a nested member it is empty. */
  readonly valid: unknown;
}

type Rule = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** The members of a class of requests, as its decorators describe them. */
export function membersOf(target: RequestClass): Member[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(target, '', false, false);
  const names = [...new Set(rules.map(({ propertyName }) => propertyName))];
  return names.map((name) => {
    const own = rules.filter(({ propertyName }) => propertyName === name);
    const isNested = own.some(({ type }) => type === 'nestedValidation');
    const isList = own.some(({ name: rule }) => rule === 'isArray');
    return {
      name,
      isOptional: isLeftOut(own, name, undefined),
      isNullable: isLeftOut(own, name, null),
      isNested,
      isList,
      valid: isNested ? (isList ? [] : {}) : validFor(own),
    };
  });
}

/** Whether a member with such a value is not looked at. */
const isLeftOut = (rules: readonly Rule[], name: string, value: null | undefined): boolean =>
  rules
    .filter(({ type }) => type === 'conditionalValidation')
    .some(({ constraints: [isJudged] }) => !(isJudged as Condition)({ [name]: value }, value));

type Condition = (body: object, value: unknown) => boolean;

function validFor(rules: readonly Rule[]): unknown {
  const one = validItem(rules);
  return rules.some(({ name }) => name === 'isArray') ? [one] : one;
}

function validItem(rules: readonly Rule[]): unknown {
  const constraint = (name: string): unknown =>
    (rules.find((rule) => rule.name === name)?.constraints as unknown[] | undefined)?.[0];
  const has = (name: string): boolean => rules.some((rule) => rule.name === name);
  const [allowed] = [constraint('isIn')];
  if (Array.isArray(allowed)) return allowed[0];
  if (has('equals')) return constraint('equals');
  if (has('isInt') || has('isNumber')) return Math.max(1, Number(constraint('min') ?? 1));
  if (has('isUuid')) return '0198f3a0-0000-7000-8000-000000000000';
  if (has('isEmail')) return 'somebody@example.org';
  if (has('isIso8601')) return '2099-01-01T00:00:00Z';
  if (has('isISO31661Alpha2')) return 'DE';
  const patterns = rules.filter(({ name }) => name === 'matches').map(({ constraints }) => constraints[0] as RegExp);
  const plain = 'x'.repeat(Math.max(1, Number(constraint('minLength') ?? 1)));
  const narrow = patterns.find((pattern) => !pattern.test(plain));
  return narrow === undefined ? plain : fc.sample(fc.stringMatching(narrow), { numRuns: 1, seed: 1 })[0];
}

/** A place in a body: the names of the members that lead to it; `0` is the first of a list. */
export type Place = readonly (string | 0)[];

export function withMember(body: unknown, [name = '', ...rest]: Place, value: unknown): unknown {
  const before: unknown = body !== null && typeof body === 'object' ? Reflect.get(body, name) : undefined;
  const member = rest.length === 0 ? value : withMember(before, rest, value);
  return name === 0 ? [member] : { ...(isJsonObject(body) ? body : {}), [name]: member };
}

export function withoutMember(body: unknown, [name = '', ...rest]: Place): unknown {
  if (name === 0) return [withoutMember(Array.isArray(body) ? body[0] : undefined, rest)];
  const { [name]: value, ...others } = isJsonObject(body) ? body : {};
  return rest.length === 0 ? others : { ...others, [name]: withoutMember(value, rest) };
}
