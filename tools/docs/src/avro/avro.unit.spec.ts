import { describe, expect, it } from '@jest/globals';
import { publicEventSchemas, type EventSchema, type JsonSchema } from '@capability-router/contracts';
import avsc from 'avsc';
import { goldenEvents, goldenFiles, readGolden } from '../test-support/golden-events.js';
import { avroSchema, type AvroField, type AvroRecord } from './avro-schema.js';
import { fromAvro, toAvro, type Value } from './avro-values.js';

const typeOf = (schema: AvroRecord): avsc.Type => avsc.Type.forSchema(schema as unknown as avsc.Schema);

/** A value that was written with one schema, as a reader with another has it by Avro's own rules of resolution. */
function resolved(written: Value, writer: AvroRecord, reader: AvroRecord): Value {
  const [from, to] = [typeOf(writer), typeOf(reader)];
  const bytes = from.toBuffer(toAvro(writer, written));
  return fromAvro(reader, { ...(to.fromBuffer(bytes, to.createResolver(from)) as Value) });
}

/** The members of a value that a schema names. */
const known = (value: Value, { fields }: AvroRecord): Value =>
  Object.fromEntries(fields.flatMap(({ name }) => (name in value ? [[name, value[name]]] : [])));

const readFolder = (folder: string): unknown[] => goldenFiles(folder).map((file) => readGolden(`${folder}/${file}`));

const publishedAvro = ({ topic, type }: EventSchema): AvroRecord[] =>
  readFolder(`avro/${topic}.${type}`) as AvroRecord[];

/** Every schema that was published: the Avro ones as they stand, and those that JSON Schemas of before Avro came would have. */
const everyVersion = ({ topic, type }: EventSchema): AvroRecord[] => [
  ...readFolder(`schemas/${topic}.${type}`).map((schema) => avroSchema({ topic, type, schema: schema as JsonSchema })),
  ...publishedAvro({ topic, type, schema: {} }),
];

const cases = publicEventSchemas.map((one): [string, EventSchema] => [one.type, one]);
const valuesOf = ({ topic, type }: EventSchema): Value[] =>
  goldenEvents(topic).flatMap(([, { headers, value }]) => (headers['ce_type'] === type ? [value] : []));

describe('the Avro schemas of the public events', () => {
  it.each(cases)('hold every golden event as it is, through binary Avro and back: %s', (_type, event) => {
    const schema = avroSchema(event);
    const values = valuesOf(event);
    expect(values.length).toBeGreaterThan(0);
    for (const value of values) expect(resolved(value, schema, schema)).toEqual(value);
  });

  it.each(cases)('are read by readers of every version, whichever version wrote: %s', (_type, event) => {
    const now = avroSchema(event);
    const versions = everyVersion(event);
    expect(versions.length).toBeGreaterThan(0);
    for (const before of versions) {
      for (const value of valuesOf(event)) {
        expect(resolved(known(value, before), before, now)).toEqual(known(value, before));
        expect(resolved(value, now, before)).toEqual(known(value, before));
      }
    }
  });

  it.each(cases)('are promised once they are published: %s', (_type, event) => {
    // A schema that is new: copy it from docs/schemas into libs/contracts/golden/avro, as the next number of its folder.
    expect(publishedAvro(event).at(-1)).toEqual(avroSchema(event));
  });
});

describe('a change of an Avro schema', () => {
  const before: AvroRecord = {
    type: 'record',
    name: 'Changed',
    namespace: 'capability_router.test.v1',
    fields: [
      { name: 'amount', type: 'string' },
      { name: 'status', type: { type: 'enum', name: 'ChangedStatus', symbols: ['a', 'b'] } },
    ],
  };
  const value = { amount: '9223372036854775807', status: 'a' };
  const [amount, status] = before.fields as [AvroField, AvroField];
  const changedTo = (...fields: AvroField[]): AvroRecord => ({ ...before, fields });

  it('is none to readers where a member that may be absent is added', () => {
    const after = changedTo(amount, status, { name: 'more', type: ['null', 'string'], default: null });
    expect(resolved(value, before, after)).toEqual(value);
    expect(resolved({ ...value, more: 'x' }, after, before)).toEqual(value);
  });

  it.each<[string, AvroRecord]>([
    ['a member that older events lack', changedTo(amount, status, { name: 'more', type: 'string' })],
    ['a member of another type', changedTo({ ...amount, type: 'long' }, status)],
    ['another name', { ...before, name: 'Elsewhere' }],
  ])('is refused by a reader of older events where it is %s', (_what, after) => {
    expect(() => resolved(value, before, after)).toThrow();
  });

  it.each<[string, AvroRecord, Value]>([
    ['a member is gone', changedTo(status), value],
    [
      'a closed set has another value',
      changedTo(amount, { ...status, type: { type: 'enum', name: 'ChangedStatus', symbols: ['a', 'b', 'c'] } }),
      { ...value, status: 'c' },
    ],
  ])('is refused by a reader of before where %s', (_what, after, written) => {
    expect(() => resolved(written, after, before)).toThrow();
  });
});

describe('amounts', () => {
  it('are exact to the last of nineteen digits, and money keeps the zeros that it was told with', () => {
    const event = publicEventSchemas.find(({ type }) => type === 'LedgerEntryRecorded');
    const [value] = event === undefined ? [] : valuesOf(event);
    if (event === undefined || value === undefined) throw new Error('no ledger entry is in the corpus');
    const told = { ...value, amountMicroCredits: '-9223372036854775807', paidAmount: '0049.900', paidCurrency: 'EUR' };
    const schema = avroSchema(event);
    expect(resolved(told, schema, schema)).toEqual(told);
  });
});
