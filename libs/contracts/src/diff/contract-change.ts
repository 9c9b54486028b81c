import { canonicalJson, type JsonValue } from '@capability-router/kernel';

/**
 * `breaking`: a call that was right before may be refused, or what it returns may have another shape.
 * `cost`: a call may cost more, or be charged by another measure. `destination`: callers see no difference, but their
 * parameters, or the provider's credential, go somewhere else. `compatible`: none of these.
 */
export type Impact = 'breaking' | 'cost' | 'destination' | 'compatible';

export interface ContractChange {
  /** Path in the manifest, e.g. `parameters_schema.properties.city.maxLength`. */
  readonly path: string;
  readonly kind: 'added' | 'removed' | 'changed';
  readonly impact: Impact;
  /** Why it has this impact, in a sentence. */
  readonly reason: string;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
}

/** `before` and `after`: what stands there; undefined for nothing. */
export function contractChange(
  path: string,
  impact: Impact,
  reason: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): ContractChange {
  const kind = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
  return {
    path,
    kind,
    impact,
    reason,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  };
}

/** Equal as JSON, whatever the order of members. */
export const equalJson = (a: JsonValue | undefined, b: JsonValue | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && canonicalJson(a) === canonicalJson(b));
