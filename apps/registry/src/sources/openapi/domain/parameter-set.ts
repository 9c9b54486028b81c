import type { HttpPlacement } from '@capability-router/contracts';
import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';
import { cleanText } from '../../domain/clean-text.js';

const MAX_NAME_LENGTH = 100;
const MAX_DESCRIPTION_LENGTH = 1_000;

export interface NewParameter {
  /** At the provider. */
  readonly name: string;
  readonly placement: HttpPlacement;
  readonly schema: JsonValue;
  readonly required: boolean;
  readonly description?: unknown;
  readonly example?: JsonValue | undefined;
}

/** The parameters of one tool as they come together, each under a name of its own. */
export class ParameterSet {
  readonly placements: Record<string, HttpPlacement> = {};
  readonly examples = new Map<string, JsonValue>();
  private readonly properties = new Map<string, JsonValue>();
  private readonly required: string[] = [];
  private readonly dependent: Record<string, string[]> = {};

  /** Gives the name that the tool has for it. */
  add({ name: target, placement, schema, required, description, example }: NewParameter): string {
    const name = this.nameFor(target, placement.in);
    this.placements[name] = name === target || placement.whole === true ? placement : { ...placement, name: target };
    this.properties.set(name, withDescription(schema, description));
    if (required) this.required.push(name);
    if (example !== undefined) this.examples.set(name, example);
    return name;
  }

  /** Where one of the names is given, the needed ones must be, too. */
  requireTogether(names: readonly string[], needed: readonly string[]): void {
    if (needed.length === 0) return;
    for (const name of names) this.dependent[name] = needed.filter((other) => other !== name);
  }

  schema(): JsonObject {
    return {
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(this.properties),
      ...(this.required.length === 0 ? {} : { required: this.required }),
      ...(Object.keys(this.dependent).length === 0 ? {} : { dependentRequired: this.dependent }),
    };
  }

  /** Names that agents can write: of ASCII ones, letters, digits, `_` and `-`. */
  private nameFor(target: string, where: string): string {
    const plain = /^[\u0020-\u007e]*$/.test(target)
      ? target.replaceAll(/[^A-Za-z0-9_-]+/g, '_').replace(/(?<=.)_$/, '')
      : target;
    const name = (plain === '__proto__' ? 'proto' : plain).slice(0, MAX_NAME_LENGTH) || where;
    if (!this.properties.has(name)) return name;
    const qualified = `${where}_${name}`;
    if (!this.properties.has(qualified)) return qualified;
    for (let count = 2; ; count += 1) if (!this.properties.has(`${qualified}_${count}`)) return `${qualified}_${count}`;
  }
}

/** The parameter's own description goes before that of its type. */
function withDescription(schema: JsonValue, description: unknown): JsonValue {
  const text = cleanText(description, MAX_DESCRIPTION_LENGTH);
  if (text === undefined) return schema;
  return isJsonObject(schema) ? { ...schema, description: text } : schema === false ? schema : { description: text };
}
