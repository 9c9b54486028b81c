import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type JSONSchemaType } from 'ajv';

export const MIN_TOKENS = 8;
export const MAX_TOKENS = 8_192;
/** Hundredths that are neither nothing nor all. */
export const percent = { min: 1, max: 99 } as const;
const MAX_SCRIPTS = 50;

/** `search.json` in the folder of a model: how the search reads it. Everything in it can be left out. */
export interface ModelSettings {
  /** Unicode names of scripts, `Latin`. Absent: the model reads all of them. */
  readonly scripts?: readonly string[];
  /** How the vectors of tokens become one, where the graph does not do it itself. */
  readonly pooling?: 'mean' | 'cls';
  /** Tokens of a text that the model reads. */
  readonly max_tokens?: number;
  /** Hundredths of the score that the likeness by the model makes. */
  readonly share_percent?: number;
  /**
   * Hundredths, in the place of those, for a Chinese query, which is put to the model in the English words that a dictionary has
   * for it. Absent: it is not put to a model that does not read it.
   */
  readonly glossed_share_percent?: number;
  /** Hundredths: from this cosine on a tool is a result that shares no word with the query. */
  readonly min_cosine_percent?: number;
}

const hundredths = { type: 'integer', minimum: percent.min, maximum: percent.max, nullable: true } as const;
const schema: JSONSchemaType<ModelSettings> = {
  type: 'object',
  additionalProperties: false,
  properties: {
    scripts: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: MAX_SCRIPTS, nullable: true },
    pooling: { type: 'string', enum: ['mean', 'cls'], nullable: true },
    max_tokens: { type: 'integer', minimum: MIN_TOKENS, maximum: MAX_TOKENS, nullable: true },
    share_percent: hundredths,
    glossed_share_percent: hundredths,
    min_cosine_percent: hundredths,
  },
};

/** Nothing where the folder has no `search.json`. Throws an error that names the file and what is wrong in it. */
export function readModelSettings(directory: string): ModelSettings {
  const file = join(directory, 'search.json');
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch {
    return {};
  }
  const fault = (why: string): Error => new Error(`${file} cannot be used: ${why}`);
  let settings: unknown;
  try {
    settings = JSON.parse(content);
  } catch {
    throw fault('it is no JSON');
  }
  const ajv = new Ajv();
  if (!ajv.validate(schema, settings)) throw fault(ajv.errorsText(undefined, { dataVar: 'it' }));
  const unknown = (settings.scripts ?? []).find((script) => !isScript(script));
  if (unknown !== undefined) throw fault(`${JSON.stringify(unknown)} is no script that Unicode knows; Latin is one`);
  return settings;
}

/** Does a model of these scripts read the text: has it no letter of another one? */
export function readsScripts(scripts: readonly string[]): (text: string) => boolean {
  const own = scripts.map((script) => `\\p{Script=${script}}`).join('');
  const foreign = new RegExp(`(?![${own}\\p{Script=Common}\\p{Script=Inherited}])\\p{L}`, 'u');
  return (text) => !foreign.test(text);
}

function isScript(name: string): boolean {
  try {
    return /^\w+$/.test(name) && new RegExp(`\\p{Script=${name}}`, 'u').source !== '';
  } catch {
    return false;
  }
}
