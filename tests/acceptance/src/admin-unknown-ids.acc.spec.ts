import { describe, expect, it } from '@jest/globals';
import { adminKey, nextOrigin } from './support/environment.js';
import { send } from './support/http.js';

/** The members of the OpenAPI document of administrators that are looked at. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly requestBody?: { required?: boolean } }>>>>;
}

const digits = 'f'.repeat(32);
const uuid = '018f0000-0000-7000-8000-ffffffffffff';
/** Ids in the form of those that there are, which nobody has; others are UUIDs. */
const nobodys: Readonly<Record<string, string>> = {
  account_id: `acc_${digits}`,
  execution_id: `exec_${digits}`,
  provider_id: 'nobody',
  tool_id: 'nobody.thing.find.v1',
  capability_id: 'nobody.capability',
  name: 'nobody',
  version: '1',
  from: '1',
  to: '2',
};

/** To forget what is not there is to have forgotten it. */
const forgetting = ['DELETE /providers/nobody/credentials'];

/** Requests that take an id and need no body, in the form that `idOf` gives the ids. */
async function requestsWithIds(idOf: (part: string) => string): Promise<readonly (readonly [string, string])[]> {
  const response = await fetch(new URL('/admin/v1/openapi.json', nextOrigin()));
  const { paths } = (await response.json()) as Document;
  return Object.entries(paths)
    .filter(([path]) => path.includes('{'))
    .flatMap(([path, members]) =>
      Object.entries(members)
        // A change of nothing is refused for that first.
        .filter(([method, { requestBody }]) => requestBody?.required !== true && method !== 'patch')
        .map(
          ([method]) => [method.toUpperCase(), path.replaceAll(/\{(\w+)\}/g, (_, part: string) => idOf(part))] as const,
        ),
    );
}

describe('a request of an administrator', () => {
  it.each([
    ['in the form of one, which nobody has', (part: string) => nobodys[part] ?? uuid],
    ['in no form of one', () => 'NOT AN ID'],
  ])('with an id %s is 404 on every route, and tells nothing of how it is kept', async (_form, idOf) => {
    const requests = await requestsWithIds(idOf);
    expect(requests.length).toBeGreaterThan(30);
    const answers = await Promise.all(
      requests.map(async ([method, path]) => {
        const reply = await send(method, `/admin/v1${encodeURI(path)}`, { key: adminKey });
        expect(reply.text).not.toMatch(/SELECT|invalid input syntax|node_modules/);
        return [`${method} ${path}`, reply.status] as const;
      }),
    );
    const others = answers.filter(([name, status]) => status !== 404 && !forgetting.includes(name));
    expect(others).toEqual([]);
  });
});
