import type { EventSchema, JsonSchema } from './event-schema.js';

/** The kind of a value in a table: `amount` is a decimal string of micro-credits, `json` an object as text. */
export type ColumnKind = 'text' | 'amount' | 'number' | 'flag' | 'instant' | 'json';

/** A member of an event as a column of a table. */
export interface Column {
  readonly member: string;
  /** The member in snake case. */
  readonly name: string;
  readonly kind: ColumnKind;
  readonly required: boolean;
}

/** One column per member, in the order of the schema. */
export function columnsOf({ schema }: EventSchema): Column[] {
  return Object.entries(schema.properties ?? {}).map(([member, property]) => ({
    member,
    name: snakeCase(member),
    kind: kindOf(member, property),
    required: schema.required?.includes(member) === true,
  }));
}

export const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function kindOf(member: string, schema: JsonSchema): ColumnKind {
  if (member.endsWith('MicroCredits')) return 'amount';
  if (schema.format === 'date-time') return 'instant';
  if (schema.type === 'integer') return 'number';
  if (schema.type === 'boolean' || typeof schema.const === 'boolean') return 'flag';
  return schema.type === 'object' ? 'json' : 'text';
}
