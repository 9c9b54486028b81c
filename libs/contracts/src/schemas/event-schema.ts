/** JSON Schema 2020-12, as far as events need it. */
export interface JsonSchema {
  readonly $schema?: string;
  readonly $id?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: 'string' | 'integer' | 'boolean' | 'object';
  readonly pattern?: string;
  readonly format?: 'date-time' | 'uuid';
  readonly minimum?: number;
  readonly maxLength?: number;
  readonly const?: boolean | string;
  readonly enum?: readonly string[];
  /** The values of an open set that are known today. More may come within the major version. */
  readonly examples?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** `required`: on every record that was ever published; false where records of older builds lack it too. */
export interface Field<Required extends boolean = boolean> {
  readonly required: Required;
  readonly schema: JsonSchema;
}

/**
 * One field for each member of `T`: a member without a description, or one described as more than it is, does not
 * compile.
 */
export type FieldsOf<T> = {
  readonly [K in keyof T]-?: Record<never, never> extends Pick<T, K> ? Field<false> : Field;
};

/** The schema of one type of event on a public topic. */
export interface EventSchema {
  readonly topic: string;
  readonly type: string;
  readonly schema: JsonSchema;
}

/** The value of `ce_dataschema`, and the `$id` of the schema. */
export const schemaIdOf = (topic: string, type: string): string => `urn:capability-router:schema:${topic}:${type}`;

/** Members that a schema does not name are allowed: a later build may add some. */
export function eventSchema<T>(topic: string, type: string, description: string, fields: FieldsOf<T>): EventSchema {
  const entries = Object.entries<Field>(fields);
  return {
    topic,
    type,
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: schemaIdOf(topic, type),
      title: type,
      description,
      type: 'object',
      properties: Object.fromEntries(entries.map(([name, field]) => [name, field.schema])),
      required: entries.flatMap(([name, field]) => (field.required ? [name] : [])),
    },
  };
}

export const always = (schema: JsonSchema): Field<true> => ({ required: true, schema });
export const sometimes = (schema: JsonSchema): Field<false> => ({ required: false, schema });
