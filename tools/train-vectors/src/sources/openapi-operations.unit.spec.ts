import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { permissiveOperations } from './openapi-operations.js';

const operation = { operationId: 'issues.create', summary: 'Create an issue', tags: ['issues'] };

describe('the operations that are trained on', () => {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
  const write = (path: string, license: object | undefined, paths: object, others: object = {}): void => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ info: { title: `API of ${path}`, license }, paths, ...others }));
  };
  beforeAll(() => {
    write('unsaid.json', undefined, { '/a': { get: operation } });
    write('own.json', { name: 'Our terms of use' }, { '/a': { get: operation } });
    write('a/b.json', { name: 'MIT' }, { '/a': { get: operation, 'x-note': operation } });
    write(
      'a/c.json',
      { name: 'Apache 2.0' },
      {
        '/repos/{owner}/issues': {
          parameters: [{ $ref: '#/components/parameters/the~1owner' }],
          post: {
            ...operation,
            description: '<p>Opens an issue.</p> See https://example.org/docs?a=b for more.',
            parameters: [
              { name: 'draft', description: 'Not yet open.' },
              { $ref: '#/missing' },
              { $ref: 'other.json' },
            ],
            requestBody: {
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Issue' } } },
            },
          },
        },
        '/twice': { get: operation, put: operation },
      },
      {
        components: {
          parameters: { 'the/owner': { name: 'owner', description: 'Whose it is.' } },
          schemas: {
            Issue: { properties: { title: { description: 'Short.' }, parent: { $ref: '#/components/schemas/Issue' } } },
          },
        },
      },
    );
    writeFileSync(join(folder, 'readme.txt'), 'no JSON');
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('come from files that declare a permissive licence, and from no other', () => {
    const { operations, filesByLicence } = permissiveOperations(folder);
    expect([...filesByLicence]).toEqual([
      ['MIT', 1],
      ['Apache-2.0', 1],
    ]);
    expect(new Set(operations.map(({ api }) => api))).toEqual(new Set(['API of a/b.json', 'API of a/c.json']));
  });

  it('hold what references of parameters and bodies lead to, and neither markup nor addresses', () => {
    const found = permissiveOperations(folder).operations.find(({ name }) => name.includes('repos'));
    expect(found?.name.split(/\s+/)).toEqual(['issues', 'create', '/repos/', 'owner', '/issues', 'issues']);
    expect(found?.description.trim().split(/\s+/).join(' ')).toBe('Opens an issue. See for more.');
    expect(found?.parameters.split(/\s+/).join(' ').trim()).toBe(
      'owner Whose it is. draft Not yet open. title Short. parent',
    );
  });

  it('are there once each', () => {
    const { operations } = permissiveOperations(folder);
    expect(operations.filter(({ name }) => name.includes('twice'))).toHaveLength(1);
  });
});
