import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { causeOf, isObject, type Data } from '../gateway/gateway.js';
import { CommandError, exitCodes, type Terminal } from '../terminal.js';
import { quoted } from './show-tool.js';

export interface ParameterOptions {
  /** `name=value`, any number of them. */
  readonly param?: readonly string[];
  /** A JSON object; `@path` reads it from a file, `-` from standard input. */
  readonly parameters?: string;
}

/** Adds `-p` and `--parameters`. */
export function withParameters(command: Command): Command {
  const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];
  return command
    .option('-p, --param <name=value>', 'a parameter; what is JSON is read as JSON, anything else is a text', collect)
    .option('--parameters <json>', 'all parameters as a JSON object; @file reads a file, - standard input');
}

/** @throws CommandError where they are no parameters; nothing has been sent then */
export async function readParameters({ param = [], parameters }: ParameterOptions, terminal: Terminal): Promise<Data> {
  if (parameters !== undefined && param.length > 0) {
    throw new CommandError(exitCodes.usage, 'give -p or --parameters, not both');
  }
  return parameters === undefined ? membersOf(param) : objectOf(await sourceOf(parameters, terminal));
}

/**
 * Tells how parameters are written that the tool wants as texts, where `-p` has read them as something else. `names`: those that are
 * at fault for that.
 */
export function textHints({ param = [] }: ParameterOptions, names: ReadonlySet<string>): string[] {
  return Object.entries(membersOf(param)).flatMap(([name, value]) => {
    if (!names.has(name) || typeof value === 'string') return [];
    const written = param.findLast((each) => each.startsWith(`${name}=`)) ?? '';
    const asText = `${name}=${JSON.stringify(written.slice(name.length + 1))}`;
    return [`"${name}" was read as JSON. To send it as a text, write -p ${quoted(asText)}`];
  });
}

/** Names of parameters that a refusal wants as texts. */
export function wantedAsTexts(answer: object | undefined): ReadonlySet<string> {
  const details = isObject(answer) && Array.isArray(answer['details']) ? answer['details'].filter(isObject) : [];
  const names = details.flatMap(({ type, loc }) =>
    type === 'string_type' && Array.isArray(loc) && loc.length === 3 && loc[1] === 'parameters' ? [String(loc[2])] : [],
  );
  return new Set(names);
}

function membersOf(given: readonly string[]): Data {
  const members = given.map((each): readonly [string, unknown] => {
    const at = each.indexOf('=');
    if (at < 1) throw new CommandError(exitCodes.usage, `-p "${each}" has no name`, ['Write -p name=value.']);
    return [each.slice(0, at), valueOf(each.slice(at + 1))];
  });
  return Object.fromEntries(members);
}

function valueOf(written: string): unknown {
  try {
    return JSON.parse(written) as unknown;
  } catch {
    return written;
  }
}

async function sourceOf(parameters: string, { stdin }: Terminal): Promise<string> {
  if (parameters === '-') return text(stdin);
  if (!parameters.startsWith('@')) return parameters;
  try {
    return readFileSync(parameters.slice(1), 'utf8');
  } catch (error) {
    throw new CommandError(exitCodes.usage, `the parameters cannot be read: ${causeOf(error)}`);
  }
}

function objectOf(json: string): Data {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new CommandError(exitCodes.usage, `--parameters is no JSON: ${causeOf(error)}`);
  }
  if (!isObject(value)) throw new CommandError(exitCodes.usage, '--parameters is no JSON object');
  return value;
}
