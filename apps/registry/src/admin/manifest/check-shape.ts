import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { ValidationDetail } from '@capability-router/contracts';
import type { JsonObject } from '@capability-router/kernel';
import { detailOf, hasAtMost } from '@capability-router/tool-calls';
import { manifestSchema, MANIFEST_SCHEMA_ID } from './manifest-schema.js';

export const manifestKinds = ['provider', 'tool', 'category'] as const;
export type ManifestKind = (typeof manifestKinds)[number];

/** Values of a document of which every fault is looked for; of one of more, the first is told. */
const MAX_THOROUGH_VALUES = 5_000;

type Validators = Readonly<Record<ManifestKind, ValidateFunction>>;

function validators(allErrors: boolean): Validators {
  const ajv = new Ajv2020({ strict: false, allErrors, verbose: true, discriminator: true });
  ajv.addSchema(manifestSchema);
  const validatorOf = (kind: ManifestKind): ValidateFunction =>
    ajv.compile({ $ref: `${MANIFEST_SCHEMA_ID}#/$defs/${kind}` });
  return { provider: validatorOf('provider'), tool: validatorOf('tool'), category: validatorOf('category') };
}

const everyFault = validators(true);
/** Of as many wrong values as a large document can hold, each fault would be an object. */
const firstFault = validators(false);

/** How a document breaks the manifest format; at most `limit` faults, at least one where it does. */
export function checkShape(
  kind: ManifestKind,
  document: JsonObject,
  base: readonly (string | number)[],
  limit: number,
): ValidationDetail[] {
  const validate = (hasAtMost(document, MAX_THOROUGH_VALUES) ? everyFault : firstFault)[kind];
  if (validate(document)) return [];
  const errors = validate.errors ?? [];
  // The errors of the last check would keep the document alive.
  validate.errors = null;
  const telling = errors.filter(isTelling);
  return (telling.length === 0 ? errors : telling).slice(0, limit).map((error) => detailOf(error, document, base));
}

/** Of alternatives it is told what is wrong with each; that none fits adds nothing. */
const isTelling = ({ keyword }: ErrorObject): boolean => keyword !== 'oneOf' && keyword !== 'anyOf';
