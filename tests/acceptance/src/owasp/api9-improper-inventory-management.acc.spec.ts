/**
 * OWASP API9:2023. Attacked: what is reachable and not known: routes that nobody describes, versions that were. That the document has each
 * route of the gateway is in `interface-document.unit`, and that no answer has a status that it does not name is held everywhere; here the
 * deployment itself is asked.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { PathTemplates } from '@capability-router/contracts/answers';
import { newAccount, type TestAccount } from '../support/accounts.js';
import { nextOrigin } from '../support/environment.js';
import { send } from '../support/http.js';
import { asObject } from '../support/json.js';

const NOBODY = '00000000-0000-7000-8000-000000000000';
/** Not one of the verbs that paths have beside them. */
const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete'];

let account: TestAccount;
/** By path of the document, the methods that it names. */
let documented: ReadonlyMap<string, readonly string[]>;
beforeAll(async () => {
  account = await newAccount();
  const response = await fetch(new URL('/api/v1/openapi.json', nextOrigin()));
  const json = asObject(await response.json());
  documented = new Map(
    Object.entries(asObject(json['paths'])).map(([path, item]) => [
      path,
      Object.keys(asObject(item)).filter((name) => METHODS.includes(name)),
    ]),
  );
});

const filled = (path: string): string => path.replaceAll(/\{\w+\}/g, NOBODY);
/** Every method of every path of the document that a path fits. */
const methodsOf = (path: string): string[] =>
  new PathTemplates(documented.keys()).fitting(path).flatMap((template) => documented.get(template) ?? []);

describe('the deployment', () => {
  it('has each path of the document', async () => {
    for (const path of documented.keys()) {
      const reply = await send('OPTIONS', `/api/v1${filled(path)}`, { key: account.key });
      expect({ path, status: reply.status }).toEqual({ path, status: 405 });
    }
  });

  it('says of each of these paths that it takes the methods of the document, and no other', async () => {
    for (const [path, methods] of documented) {
      const reply = await send('OPTIONS', `/api/v1${filled(path)}`, { key: account.key });
      const allowed = (reply.headers.get('allow') ?? '').toLowerCase().split(', ');
      expect({ path, allowed }).toEqual({ path, allowed: [...methods].sort() });
    }
  });

  it('takes an encoded colon for a part of an id, which has no action', async () => {
    const actions = [...documented.keys()].filter((path) => /\}:\w+$/.test(path));
    expect(actions).not.toEqual([]);
    for (const path of actions) {
      const encoded = filled(path).replace(/:(?=\w+$)/, '%3A');
      const reply = await send('POST', `/api/v1${encoded}`, { key: account.key, body: {} });
      const ofId = documented.get(path.replace(/:\w+$/, '')) ?? [];
      const allow = [...ofId].map((method) => method.toUpperCase()).sort();
      expect({ path, status: reply.status, allow: reply.headers.get('allow')?.split(', ') }).toEqual({
        path,
        status: 405,
        allow,
      });
    }
  });

  it('has nothing between and below these paths', async () => {
    const known = [...documented.keys()];
    const parents = known.flatMap((path) => {
      const parts = path.split('/').slice(1);
      return parts.map((_, index) => `/${parts.slice(0, index).join('/')}`);
    });
    const guesses = [...new Set([...parents, ...known.map((path) => `${path}/all`)])];
    for (const guess of guesses) {
      const path = filled(guess);
      if (methodsOf(path).length > 0) continue;
      const reply = await send('GET', `/api/v1${path}`, { key: account.key });
      expect({ path, status: reply.status }).toEqual({ path, status: 404 });
    }
  });

  it.each([
    '/search',
    '/tools/execute',
    '/v1/search',
    '/v1/tools/execute',
    '/api/search',
    '/api/v0/search',
    '/api/v2/search',
    '/api/v1.0/search',
    '/api/V1/search',
    '/API/v1/search',
    '/api/v1beta/search',
    '/api/beta/search',
    '/api/latest/search',
    '/api/v1/v1/search',
    '/api/v1/auth/usage/history',
    '/api/v1/auth/usage/history/v1',
    '/api/v1/auth/usage/history/v3',
    '/api/v1/auth/usage',
    '/api/v1/tools/execute/v2',
    '/api/v1/test/search',
    '/admin',
    '/admin/v0/accounts',
    '/admin/v2/accounts',
  ])('has no other version of a path, and no path without one: %s', async (path) => {
    for (const method of ['GET', 'POST']) {
      const reply = await send(method, path, {
        key: account.key,
        ...(method === 'POST' ? { body: { query: 'x' } } : {}),
      });
      expect([method, reply.status]).toEqual([method, 404]);
    }
  });
});
