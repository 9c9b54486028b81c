import type { AvroField, AvroRecord } from './avro-schema.js';

export type Value = Readonly<Record<string, unknown>>;

const isJsonText = ({ type }: AvroField): boolean =>
  [type].flat().some((one) => typeof one === 'object' && 'contentMediaType' in one);

/** The value of a record on the topic as Avro holds it: absent members are null, objects are JSON text. */
export const toAvro = (schema: AvroRecord, value: Value): Value =>
  Object.fromEntries(
    schema.fields.map((field) => {
      const member = value[field.name];
      return [field.name, isJsonText(field) && member !== undefined ? JSON.stringify(member) : (member ?? null)];
    }),
  );

/** The way back: the value as it was on the topic. */
export const fromAvro = (schema: AvroRecord, value: Value): Value =>
  Object.fromEntries(
    schema.fields.flatMap((field) => {
      const member = value[field.name];
      if (member === null) return [];
      return [[field.name, isJsonText(field) && typeof member === 'string' ? JSON.parse(member) : member]];
    }),
  );
