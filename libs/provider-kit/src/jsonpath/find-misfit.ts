import type { JsonValue } from '@capability-router/kernel';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { oneLine } from '../faults/provider-words.js';

/** Runs in a process of its own, under its limits of time and memory: schemas come from manifests, and data from providers. */

/** Compiled schemas that are kept; all of them go when there are more. */
const MAX_COMPILED = 100;
/** Characters of what is said about a fault. */
const MAX_SAID_LENGTH = 200;

const compiled = new Map<string, ValidateFunction>();

/** The first place where the data does not fit the schema, and why; undefined where it fits. Throws for what is no schema. */
export function findMisfit(data: JsonValue, schema: string): string | undefined {
  const validate = compiled.get(schema) ?? compile(schema);
  if (validate(data)) return undefined;
  const [error] = validate.errors ?? [];
  // The errors would keep the data alive.
  validate.errors = null;
  // The path is made of names that the provider chose.
  return oneLine(`${error?.instancePath ?? ''} ${error?.message ?? 'does not fit'}`).slice(0, MAX_SAID_LENGTH);
}

function compile(schema: string): ValidateFunction {
  if (compiled.size >= MAX_COMPILED) compiled.clear();
  // One each: an Ajv never lets go of what it compiled. `format` is for people here: providers are seldom right about it.
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    validateSchema: false,
    inlineRefs: false,
    ownProperties: true,
  });
  const validate = ajv.compile(JSON.parse(schema) as object);
  compiled.set(schema, validate);
  return validate;
}
