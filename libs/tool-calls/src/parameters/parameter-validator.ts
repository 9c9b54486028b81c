import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import type { JsonObject } from '@capability-router/kernel';
import type { ToolContract, ValidationDetail } from '@capability-router/contracts';
import { detailOf } from './ajv-details.js';
import { linearPattern } from './linear-pattern.js';

/** Compiled schemas kept in memory, about 40 kB each. */
const MAX_COMPILED_SCHEMAS = 1_000;
/** Faults that one answer lists. */
const MAX_DETAILS = 20;

/**
 * Compiled schemas that go together: an Ajv never lets go of what it compiled, removed or not, and every compiled function
 * holds its Ajv.
 */
interface Generation {
  readonly ajv: Ajv2020;
  readonly compiled: Map<string, ValidateFunction>;
  /** Of them, compiled again because they were in use when their generation became the old one. */
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

  /** The faults, none if the parameters are right. Throws if the tool's schema is not a valid JSON Schema. */
  check(tool: ToolContract, parameters: JsonObject): readonly ValidationDetail[] {
    const validate = this.validatorOf(tool);
    const details = missingGroups(tool, parameters);
    if (!validate(parameters)) {
      for (const error of (validate.errors ?? []).slice(0, MAX_DETAILS)) details.push(detailOf(error, parameters));
    }
    // The errors of the last check would keep the caller's parameters alive.
    validate.errors = null;
    return details.slice(0, MAX_DETAILS);
  }

  private validatorOf(tool: ToolContract): ValidateFunction {
    const key = `${tool.toolId}@${tool.version}:${tool.schemaHash}`;
    const known = this.young.compiled.get(key);
    if (known !== undefined) return known;
    const older = this.old?.compiled.get(key);
    if (older !== undefined && !this.mayRenew()) return older;
    if (this.young.compiled.size >= this.maxInGeneration) {
      this.old = this.young;
      this.young = newGeneration();
    }
    const validate = this.young.ajv.compile(tool.parametersSchema);
    this.young.compiled.set(key, validate);
    if (older !== undefined) this.young.renewed += 1;
    return validate;
  }

  private mayRenew(): boolean {
    const { compiled, renewed } = this.young;
    return compiled.size < this.maxInGeneration && renewed < compiled.size - renewed;
  }
}

function newGeneration(): Generation {
  return { ajv: newAjv(), compiled: new Map(), renewed: 0 };
}

/** `addUsedSchema: false`: two tools, or two versions of one, may use the same `$id`. */
function newAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    verbose: true,
    addUsedSchema: false,
    code: { regExp: linearPattern },
  });
  ajvFormats.default(ajv);
  return ajv;
}

function missingGroups(tool: ToolContract, parameters: JsonObject): ValidationDetail[] {
  return tool.oneOfRequired
    .filter((group) => !group.some((name) => Object.hasOwn(parameters, name) && parameters[name] !== null))
    .map((group) => ({
      type: 'one_of_required',
      loc: ['body', 'parameters'],
      msg: `Give at least one of: ${group.join(', ')}`,
    }));
}
