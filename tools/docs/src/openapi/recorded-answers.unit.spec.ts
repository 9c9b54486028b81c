import { describe, expect, it } from '@jest/globals';
import { API_PREFIX } from '@capability-router/contracts';
import { PathTemplates, type RecordedExchange } from '@capability-router/contracts/answers';
import { recordedExchanges } from '@capability-router/contracts/testing';
import type { JsonObject } from '@capability-router/kernel';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { shortened } from './examples.js';
import { fillPlaceholders } from './fill-placeholders.js';
import { adminOpenApi } from './admin-document.js';
import { ADMIN_PREFIX } from './admin-routes.js';
import { publicOpenApi } from './public-document.js';

type Members = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The schemas without room for members that they do not name. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (!isObject(value)) return value;
  const members = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, closed(inner)]));
  const isRecord = value['type'] === 'object' && isObject(value['properties']);
  return isRecord ? { ...members, additionalProperties: false } : members;
}

const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));

const at = (value: unknown, ...names: readonly string[]): unknown =>
  names.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value);

const escaped = (name: string): string => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));

/** A document as a judge of answers. */
class Judge {
  private readonly document: JsonObject;
  private readonly templates: PathTemplates;
  private readonly validators = new Map<string, ValidateFunction>();

  constructor(
    private readonly prefix: string,
    document: JsonObject,
  ) {
    this.document = closed(document) as JsonObject;
    ajv.addSchema(this.document, prefix);
    this.templates = new PathTemplates(Object.keys(at(document, 'paths') as Members));
  }

  validatorAt(pointer: string): ValidateFunction {
    const validate = this.validators.get(pointer) ?? ajv.compile({ $ref: `${this.prefix}#${pointer}` });
    this.validators.set(pointer, validate);
    return validate;
  }

  /** The operation that answered; undefined for a path that there is not, and for a method that a path does not have. */
  templateOf({ method, path }: RecordedExchange): string | undefined {
    if (!path.startsWith(this.prefix)) return undefined;
    return this.templates
      .fitting(path.slice(this.prefix.length))
      .find((template) => at(this.document, 'paths', template, method.toLowerCase()) !== undefined);
  }

  /** Where the document has the schema of the answer; undefined for a status that it does not name, or without JSON. */
  pointerOf({ method, status }: RecordedExchange, template: string): string | undefined {
    const place = ['paths', template, method.toLowerCase(), 'responses', String(status)];
    const response = at(this.document, ...place);
    if (response === undefined) return undefined;
    const ref = at(response, '$ref');
    const start = typeof ref === 'string' ? ref.slice(1) : `/${place.map(escaped).join('/')}`;
    return `${start}/content/${escaped('application/json')}/schema`;
  }
}

describe.each([
  ['callers', new Judge(API_PREFIX, publicOpenApi()), 400],
  ['administrators', new Judge(ADMIN_PREFIX, adminOpenApi()), 250],
])('the recorded answers to %s', (_to, judge, least) => {
  const answered = recordedExchanges().flatMap((exchange) => {
    const template = judge.templateOf(exchange);
    return template === undefined ? [] : [{ exchange, template }];
  });

  it('have statuses that the document names for their operation', () => {
    const strange = answered.filter(({ exchange, template }) => judge.pointerOf(exchange, template) === undefined);
    expect(strange.map(({ exchange: { title, status } }) => `${title}: ${status}`)).toEqual([]);
    expect(answered.length).toBeGreaterThan(least);
  });

  it('have no member that the document does not name, and none of another form', () => {
    const faults: unknown[] = [];
    let judged = 0;
    for (const { exchange, template } of answered) {
      const { title, contentType, body } = exchange;
      // Results of tools have any form, and a repetition is shown as the bytes of the first time.
      const isShown = contentType === 'application/json' && !template.startsWith('/results/') && !body.startsWith('(');
      const pointer = judge.pointerOf(exchange, template);
      if (!isShown || pointer === undefined || shortened.has(title)) continue;
      const validate = judge.validatorAt(pointer);
      const answer: unknown = JSON.parse(fillPlaceholders(body));
      if (!validate(answer)) faults.push([title, validate.errors]);
      judged += 1;
    }
    expect(faults).toEqual([]);
    expect(judged).toBeGreaterThan(least);
  });
});

describe('a closed document', () => {
  it('refuses one member more', () => {
    const validate = new Judge('/closed', publicOpenApi()).validatorAt('/components/schemas/MetaAnswer');
    expect(validate({ contract_version: '1' })).toBe(true);
    expect(validate({ contract_version: '1', more: true })).toBe(false);
  });
});
