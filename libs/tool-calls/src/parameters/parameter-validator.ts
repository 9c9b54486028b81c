import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';
import { MAX_WRITTEN_OUT, type ToolContract, type ValidationDetail } from '@capability-router/contracts';
import { detailOf } from './ajv-details.js';
import { endlessNumbers } from './endless-numbers.js';
import { checksNeeded, isPlain } from './checks-needed.js';
import { linearPattern } from './linear-pattern.js';

/** Compiled schemas kept in memory, about 40 kB each. */
const MAX_COMPILED_SCHEMAS = 1_000;
/** Faults that one answer lists. */
const MAX_DETAILS = 20;
/** Values of parameters of which every fault is looked for; of more than these, the first is told. */
const MAX_THOROUGH_VALUES = 2_000;
/** Checks of parameters of which every fault is looked for: each may be a fault, and so an object. */
const MAX_THOROUGH_CHECKS = 20_000;
/** Checks that parameters may need: nothing else runs meanwhile. */
const MAX_CHECKS = 500_000;

/** A tool, as far as parameters are checked against it. Two that are told apart by version and hash have schemas of their own. */
export type CheckedTool = Pick<
  ToolContract,
  'toolId' | 'version' | 'schemaHash' | 'parametersSchema' | 'oneOfRequired'
>;

interface Compiled {
  readonly validate: ValidateFunction;
  /** Small parameters never take many checks. */
  readonly isPlain: boolean;
}

/**
 * Compiled schemas that go together: an Ajv never lets go of what it compiled, removed or not, and every compiled function
 * holds its Ajv.
 */
interface Generation {
  readonly ajv: Ajv2020;
  /** For large parameters: a list of a hundred thousand wrong values has as many faults, each an object. */
  readonly firstFault: Ajv2020;
  readonly compiled: Map<string, Compiled>;
  /** How many of them were compiled again, because they were in use when their generation became the old one. */
  renewed: number;
}

/**
 * Checks parameters against the current schema of a tool. Compiling costs a thousand times a check, so it is kept: new
 * schemas go to the young generation, and when that is full, it becomes the old one and the one before goes. For each new
 * schema one of the old generation that is in use is compiled again for the young one, so that schemas in use stay and
 * are never all compiled together.
 */
export class ParameterValidator {
  private readonly maxInGeneration: number;
  private young = newGeneration();
  private old: Generation | undefined;
  /** `maxCompiled`: compiled schemas kept, at least 2. */
  constructor(maxCompiled = MAX_COMPILED_SCHEMAS) {
    this.maxInGeneration = Math.max(1, Math.floor(maxCompiled / 2));
  }

  /** The faults, none if the parameters are right; of very large ones the first. Throws if the tool's schema is not a valid JSON Schema. */
  check(tool: CheckedTool, parameters: JsonValue): readonly ValidationDetail[] {
    const isLarge = !hasAtMost(parameters, MAX_THOROUGH_VALUES);
    const compiled = this.compiledOf(tool, isLarge);
    let { validate } = compiled;
    if (isLarge || !compiled.isPlain) {
      const needed = checksNeeded(tool.parametersSchema, parameters, MAX_CHECKS);
      if (needed > MAX_CHECKS) return [tooManyChecks];
      if (needed > MAX_THOROUGH_CHECKS) ({ validate } = this.compiledOf(tool, true));
    }
    const endless = endlessNumbers(parameters, MAX_DETAILS);
    if (endless.length > 0) return endless;
    const details = missingGroups(tool, parameters);
    if (!validate(parameters)) {
      for (const error of (validate.errors ?? []).slice(0, MAX_DETAILS)) details.push(detailOf(error, parameters));
    }
    // The errors of the last check would keep the caller's parameters alive.
    validate.errors = null;
    return details.slice(0, MAX_DETAILS);
  }

  private compiledOf(tool: CheckedTool, firstFault: boolean): Compiled {
    const key = `${tool.toolId}@${tool.version}:${tool.schemaHash}${firstFault ? ':first' : ''}`;
    const known = this.young.compiled.get(key);
    if (known !== undefined) return known;
    const older = this.old?.compiled.get(key);
    if (older !== undefined && !this.mayRenew()) return older;
    if (this.young.compiled.size >= this.maxInGeneration) {
      this.old = this.young;
      this.young = newGeneration();
    }
    const { parametersSchema } = tool;
    requireSchema(parametersSchema);
    const validate = this.young[firstFault ? 'firstFault' : 'ajv'].compile(parametersSchema);
    const compiled = { validate, isPlain: isPlain(parametersSchema) };
    this.young.compiled.set(key, compiled);
    if (older !== undefined) this.young.renewed += 1;
    return compiled;
  }

  private mayRenew(): boolean {
    const { compiled, renewed } = this.young;
    return compiled.size < this.maxInGeneration && renewed < compiled.size - renewed;
  }
}

const tooManyChecks: ValidationDetail = {
  type: 'value_error',
  loc: ['body', 'parameters'],
  msg: 'Input takes too many checks against the schema of the tool; send fewer values, or nest them less deeply',
};

function newGeneration(): Generation {
  return { ajv: newAjv(true), firstFault: newAjv(false), compiled: new Map(), renewed: 0 };
}

/**
 * `addUsedSchema: false`: two tools, or two versions of one, may use the same `$id`. The compiled code is not made
 * smaller: that takes most of the time of compiling, and a check runs no faster for it. Schemas are held to the
 * meta-schema outside, by a validator that all generations share. A definition is compiled once and not again for each
 * reference to it, and long lists are looped over: a schema of a few kilobytes would otherwise be compiled for minutes.
 * `ownProperties`: a parameter may bear a name that every object inherits, such as `constructor`; it is given where the
 * caller has given it.
 */
function newAjv(allErrors: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    allErrors,
    verbose: true,
    addUsedSchema: false,
    validateSchema: false,
    inlineRefs: false,
    loopRequired: MAX_WRITTEN_OUT,
    loopEnum: MAX_WRITTEN_OUT,
    ownProperties: true,
    code: { regExp: linearPattern, optimize: false },
  });
  ajvFormats.default(ajv);
  return ajv;
}

/** Compiled when the process starts, and not within the first request: that takes as long as ten schemas. */
const metaSchema = new Ajv2020({ strict: false, code: { optimize: false } });
const isSchema = metaSchema.getSchema('https://json-schema.org/draft/2020-12/schema');

function requireSchema(schema: JsonObject): void {
  if (isSchema?.(schema) === true) return;
  const message = metaSchema.errorsText(isSchema?.errors ?? null);
  if (isSchema !== undefined) isSchema.errors = null;
  throw new Error(`schema is invalid: ${message}`);
}

/** Has a value, with all that is in it, at most `limit` values? Looks no further than the answer needs. */
export function hasAtMost(value: JsonValue, limit: number): boolean {
  let left = limit;
  const walk = (inner: JsonValue): boolean => {
    left -= 1;
    if (left < 0) return false;
    if (Array.isArray(inner)) return inner.length <= left && inner.every(walk);
    if (!isJsonObject(inner)) return true;
    for (const name in inner) if (!walk(inner[name] ?? null)) return false;
    return true;
  };
  return walk(value);
}

function missingGroups(tool: CheckedTool, parameters: JsonValue): ValidationDetail[] {
  if (!isJsonObject(parameters)) return [];
  return tool.oneOfRequired
    .filter((group) => !group.some((name) => Object.hasOwn(parameters, name) && parameters[name] !== null))
    .map((group) => ({
      type: 'one_of_required',
      loc: ['body', 'parameters'],
      msg: `Give at least one of: ${group.join(', ')}`,
    }));
}
