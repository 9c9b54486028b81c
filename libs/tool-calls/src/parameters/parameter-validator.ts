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

/** Checks parameters against the current schema of a tool. Compiling costs a thousand times a check, so it is kept. */
export class ParameterValidator {
  private ajv = newAjv();
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor(private readonly maxCompiled = MAX_COMPILED_SCHEMAS) {}

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
    const known = this.compiled.get(key);
    if (known !== undefined) return known;
    if (this.compiled.size >= this.maxCompiled) this.startAgain();
    const validate = this.ajv.compile(tool.parametersSchema);
    this.compiled.set(key, validate);
    return validate;
  }

  /**
   * An Ajv never lets go of what it compiled, removed or not, and every compiled function holds its Ajv. So all go at
   * once, and the tools in use are compiled again.
   */
  private startAgain(): void {
    this.compiled.clear();
    this.ajv = newAjv();
  }
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
