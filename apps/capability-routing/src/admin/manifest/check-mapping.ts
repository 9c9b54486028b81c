import { MAX_EXPRESSION_LENGTH, parseSingularQuery, type ValidationDetail } from '@capability-router/contracts';
import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';

/** Members that one mapping makes, and texts that one value table has. */
const MAX_MEMBERS = 100;
/** Characters of a name, and of a path. */
const MAX_NAME_LENGTH = 200;
const MAX_PATH_LENGTH = 500;

type Loc = readonly (string | number)[];

/** Is it a `ValueMapping`? Each member is a constant, is looked for at a place, or is made by an expression. */
export function checkMapping(mapping: JsonObject, loc: Loc): ValidationDetail[] {
  const names = Object.keys(mapping);
  if (names.length > MAX_MEMBERS) {
    return [
      {
        type: 'too_long',
        loc,
        msg: `A mapping should have at most ${MAX_MEMBERS} members, not ${names.length}`,
        allowed: { maxProperties: MAX_MEMBERS },
      },
    ];
  }
  return Object.entries(mapping).flatMap(([name, mapped]) => {
    const fault =
      name.length > MAX_NAME_LENGTH ? `A name should have at most ${MAX_NAME_LENGTH} characters` : faultOf(mapped);
    return fault === undefined ? [] : [{ type: 'value_error', loc: [...loc, name], msg: fault }];
  });
}

function faultOf(mapped: JsonValue): string | undefined {
  if (!isJsonObject(mapped))
    return 'Input should be {"from": "$.name"}, {"value": …} for a constant, or {"jsonata": "…"}';
  const { from, value, values, default: otherwise, jsonata, ...others } = mapped;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    return `"${unknown}" is no member of a mapped value: from, values, default, or value or jsonata alone`;
  if (jsonata !== undefined) return expressionFault(mapped);
  if (value !== undefined) {
    const alone = from === undefined && values === undefined && otherwise === undefined;
    return alone ? undefined : 'A constant has "value" alone';
  }
  if (typeof from !== 'string' || from.length > MAX_PATH_LENGTH) {
    return `"from" should be a path of at most ${MAX_PATH_LENGTH} characters, such as $.a['b'][0]`;
  }
  if (values !== undefined && !(isJsonObject(values) && Object.keys(values).length <= MAX_MEMBERS)) {
    return `"values" should be an object of at most ${MAX_MEMBERS} texts and what they become`;
  }
  return pathFault(from);
}

/** Whether it can be evaluated is found out with the examples of the contract, in a process of its own. */
function expressionFault({ jsonata, ...others }: JsonObject): string | undefined {
  if (Object.keys(others).length > 0) return 'An expression has "jsonata" alone; defaults are written in it';
  return typeof jsonata === 'string' && /\S/.test(jsonata) && jsonata.length <= MAX_EXPRESSION_LENGTH
    ? undefined
    : `"jsonata" should be an expression of 1 to ${MAX_EXPRESSION_LENGTH} characters`;
}

function pathFault(from: string): string | undefined {
  try {
    parseSingularQuery(from);
    return undefined;
  } catch (error) {
    return error instanceof SyntaxError ? error.message : String(error);
  }
}
