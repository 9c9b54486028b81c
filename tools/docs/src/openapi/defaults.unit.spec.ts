import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@capability-router/kernel';
import { validateBody } from '@capability-router/service-kit';
import type { ClassConstructor } from 'class-transformer';
import { adminOpenApi } from './admin-document.js';
import { access } from './admin-operations/access.js';
import { accounts } from './admin-operations/accounts.js';
import { catalogue } from './admin-operations/catalogue.js';
import { credits } from './admin-operations/credits.js';
import { operations } from './operations.js';
import type { Operations } from './operations/operation.js';
import { publicOpenApi } from './public-document.js';

interface Described {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: JsonObject }[];
}

const described = new Map(
  [publicOpenApi(), adminOpenApi()].flatMap((document) =>
    Object.values(
      document['paths'] as unknown as Readonly<Record<string, Readonly<Record<string, Described>>>>,
    ).flatMap((methods) => Object.values(methods).map((operation) => [operation.operationId, operation] as const)),
  ),
);

const judged = (query: ClassConstructor<object>) => validateBody(query, {}, { location: 'query', allowUnknown: true });

/** By the id of its operation, what a query that asks for nothing has once its service has judged it. */
const applied = [operations, accounts, access, credits, catalogue]
  .flatMap((some: Operations) => Object.values(some).flat())
  .flatMap(({ id, query }) => {
    const nothing = query === undefined ? undefined : judged(query as unknown as ClassConstructor<object>);
    // Queries that need a member have no defaults beside it.
    return nothing?.ok === true ? [[id, nothing.value] as const] : [];
  });

describe('the defaults of a query', () => {
  it.each(applied)('are those that %s applies', (id, value) => {
    const parameters = (described.get(id)?.parameters ?? []).filter(({ in: place }) => place === 'query');
    const told = parameters.flatMap(({ name, schema }) => ('default' in schema ? [[name, schema['default']]] : []));
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    expect(Object.fromEntries(told)).toEqual(Object.fromEntries(members));
  });

  it('are there', () => {
    expect(applied.length).toBeGreaterThan(25);
    expect(Object.fromEntries(applied)['listLedger']).toMatchObject({
      direction: 'any',
      page: 1,
      page_size: 50,
      summary: false,
    });
  });
});
