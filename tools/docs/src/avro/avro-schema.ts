import type { EventSchema, JsonSchema } from '@capability-router/contracts';

/** A type of Avro 1.11, as far as events need it. */
export type AvroType =
  | 'string'
  | 'long'
  | 'boolean'
  | { readonly type: 'string'; readonly logicalType: 'uuid' }
  | { readonly type: 'string'; readonly contentMediaType: 'application/json' }
  | { readonly type: 'enum'; readonly name: string; readonly symbols: readonly string[] };

export interface AvroField {
  readonly name: string;
  readonly type: AvroType | readonly ['null', AvroType];
  readonly default?: null;
  readonly doc?: string;
}

export interface AvroRecord {
  readonly type: 'record';
  readonly name: string;
  readonly namespace: string;
  readonly doc?: string;
  readonly fields: readonly AvroField[];
}

/**
 * The Avro schema of an event, from its JSON Schema: the same members by the same names. A member that a record may lack
 * is a union with null whose default is null, so that members can be added. Texts stay texts, amounts and instants among
 * them (ADR 60).
 */
export function avroSchema({ topic, type, schema }: EventSchema): AvroRecord {
  return {
    type: 'record',
    name: type,
    namespace: namespaceOf(topic),
    ...docOf(schema),
    fields: Object.entries(schema.properties ?? {}).map(([name, property]) => {
      const avroType = typeOf(`${type}${upperFirst(name)}`, property);
      return schema.required?.includes(name) === true
        ? { name, type: avroType, ...docOf(property) }
        : { name, type: ['null', avroType], default: null, ...docOf(property) };
    }),
  };
}

/** `public.billing.balances.v1` is `capability_router.billing.v1`: without `public`, which Java has for itself. */
function namespaceOf(topic: string): string {
  const [, service, , version] = topic.split('.');
  if (service === undefined || version === undefined) throw new Error(`${topic} is not public.<service>.<what>.v<n>`);
  return `capability_router.${service}.${version}`;
}

function typeOf(name: string, schema: JsonSchema): AvroType {
  if (schema.enum !== undefined) return { type: 'enum', name, symbols: schema.enum };
  if (schema.type === 'integer') return 'long';
  if (schema.type === 'boolean' || typeof schema.const === 'boolean') return 'boolean';
  // The members of such an object are nobody's promise, so that Avro has no type for them.
  if (schema.type === 'object') return { type: 'string', contentMediaType: 'application/json' };
  if (schema.format === 'uuid') return { type: 'string', logicalType: 'uuid' };
  if (schema.type === 'string') return 'string';
  throw new Error(`${name} has no type in Avro: give avroSchema a rule for ${JSON.stringify(schema)}`);
}

const docOf = ({ description }: JsonSchema): { readonly doc?: string } =>
  description === undefined ? {} : { doc: description };

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
