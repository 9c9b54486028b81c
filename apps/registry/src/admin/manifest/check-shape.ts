import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { ValidationDetail } from '@capability-router/contracts';
import { once, type JsonObject } from '@capability-router/kernel';
import { detailOf, hasAtMost } from '@capability-router/tool-calls';
import { manifestSchema, MANIFEST_SCHEMA_ID } from './manifest-schema.js';

export const manifestKinds = ['provider', 'tool', 'category'] as const;
export type ManifestKind = (typeof manifestKinds)[number];

/** Values of a document of which every fault is looked for; of one of more, the first is told. */
const MAX_THOROUGH_VALUES = 5_000;

/** Compiled with the first document of a kind: that takes longer than all else that loading this service takes. */
function validators(allErrors: boolean): (kind: ManifestKind) => ValidateFunction {
  const compiled = new Map<ManifestKind, ValidateFunction>();
  const ajv = once(() =>
    new Ajv2020({ strict: false, allErrors, verbose: true, discriminator: true }).addSchema(manifestSchema),
  );
  return (kind) => {
    const known = compiled.get(kind);
    if (known !== undefined) return known;
    const validate = ajv().compile({ $ref: `${MANIFEST_SCHEMA_ID}#/$defs/${kind}` });
    compiled.set(kind, validate);
    return validate;
  };
}

const everyFault = validators(true);
/** Stops at the first fault: a large document can hold so many that an object for each would fill the memory. */
const firstFault = validators(false);

/** How a document breaks the manifest format; at most `limit` faults, at least one where it does. */
export function checkShape(
  kind: ManifestKind,
  document: JsonObject,
  base: readonly (string | number)[],
  limit: number,
): ValidationDetail[] {
  const validate = (hasAtMost(document, MAX_THOROUGH_VALUES) ? everyFault : firstFault)(kind);
  if (validate(document)) return [];
  const errors = validate.errors ?? [];
  // The errors of the last check would keep the document alive.
  validate.errors = null;
  const telling = errors.filter(isTelling);
  return (telling.length === 0 ? errors : telling).slice(0, limit).map((error) => detailOf(error, document, base));
}

/** The faults of each alternative are told; that none of them fits adds nothing. */
const isTelling = ({ keyword }: ErrorObject): boolean => keyword !== 'oneOf' && keyword !== 'anyOf';
