import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { answerShapes, type ShapeName } from '@capability-router/contracts/answers';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonObject } from './json.js';

/** Bytes of answers that one process records; beyond it the run fails, so that nothing is left out in silence. */
const MAX_RECORDED_BYTES = 64 * 1024 * 1024;

const ajv = new Ajv2020({ strict: true, allErrors: true });
const validators = new Map<ShapeName, ValidateFunction>();
/** Where answers are recorded for models in other languages; nowhere if it is not set. */
const folder = process.env['ACCEPTANCE_ANSWERS_DIR'];
let recordedBytes = 0;

/**
 * A strict client can parse every answer: types are what the field table says, nothing is null that may only be absent;
 * members that the table does not name are allowed, since clients ignore them.
 */
export function expectAnswer(shape: ShapeName, path: string, body: JsonObject): void {
  const validate = validatorOf(shape);
  expect({ shape, path, errors: validate(body) ? [] : validate.errors }).toEqual({ shape, path, errors: [] });
  if (folder !== undefined) recordAnswer(folder, shape, body);
}

function validatorOf(shape: ShapeName): ValidateFunction {
  const known = validators.get(shape);
  if (known !== undefined) return known;
  const validate = ajv.compile(answerShapes[shape].schema);
  validators.set(shape, validate);
  return validate;
}

function recordAnswer(into: string, shape: ShapeName, body: JsonObject): void {
  if (recordedBytes === 0) {
    mkdirSync(into, { recursive: true });
    writeFileSync(join(into, 'answers.schema.json'), JSON.stringify(schemaOfAll(), undefined, 2));
  }
  // One line each: the name of its model, a tab, the answer.
  const line = `${shape}\t${JSON.stringify(body)}\n`;
  recordedBytes += Buffer.byteLength(line);
  if (recordedBytes > MAX_RECORDED_BYTES) throw new Error(`more than ${MAX_RECORDED_BYTES} bytes of answers to record`);
  appendFileSync(join(into, `answers-${process.pid}.tsv`), line);
}

const schemaOfAll = (): JsonObject => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $defs: Object.fromEntries(Object.entries(answerShapes).map(([name, { schema }]) => [name, schema])),
});
