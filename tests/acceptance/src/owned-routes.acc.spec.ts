import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { newAccount, type TestAccount } from './support/accounts.js';
import { listCharges, settledUsageOf } from './support/audit.js';
import { approvedByKey } from './support/device-consent.js';
import { DeviceProgram } from './support/device-program.js';
import { eventually } from './support/eventually.js';
import { execute } from './support/execute.js';
import { call, type Reply } from './support/http.js';
import { asObject, asString, type JsonObject } from './support/json.js';
import { paidCall } from './support/tools.js';

interface OwnedRoute {
  readonly method: string;
  /** Behind `/api/v1`; each `:name` is the id of something that an account owns. */
  readonly path: string;
  readonly body?: JsonObject;
}

/** A spec of the gateway holds this list against its routes. */
const ownedRoutes = JSON.parse(
  readFileSync(new URL('../src/owned-routes.json', import.meta.url), 'utf8'),
) as readonly OwnedRoute[];

/** By the name of the parameter. */
type Ids = Readonly<Record<string, string>>;

interface Owner extends TestAccount {
  readonly ids: Ids;
}

async function newOwner(): Promise<Owner> {
  const account = await newAccount();
  const reply = await execute(account.key, paidCall);
  const executionId = asString(reply.json['execution_id'], 'execution_id');
  const event = await settledUsageOf(account.key, executionId);
  const entryId = await eventually(async () => {
    const [charge] = await listCharges(account.key);
    return asString(charge?.['id'], 'id');
  });
  const project = await call('POST', '/auth/projects', { key: account.key, body: { name: 'owned' } });
  const projectId = asString(asObject(project.json['data'])['project_id'], 'project_id');
  await approvedByKey(await DeviceProgram.begin(account), account.key);
  const consents = await call('GET', '/auth/oauth-consents', { key: account.key });
  const [consent] = asObject(consents.json['data'])['items'] as readonly JsonObject[];
  const consentId = asString(consent?.['consent_id'], 'consent_id');
  const ids = { executionId, eventId: asString(event['id'], 'id'), entryId, projectId, consentId };
  const apiKeyId = account.keyId;
  return { ...account, ids: { ...ids, apiKeyId, apiKeyIdAndAction: `${apiKeyId}:rotate` } };
}

/** An id of the same form that nobody has. */
const unknown = (id: string): string => id.replace(/[\da-f](?=(:[a-z]+)?$)/, (last) => (last === '0' ? '1' : '0'));

let asker: Owner;
let other: Owner;
beforeAll(async () => {
  [asker, other] = await Promise.all([newOwner(), newOwner()]);
});

function ask({ method, path, body }: OwnedRoute, ids: Ids, key = asker.key): Promise<Reply> {
  const target = path.replaceAll(/:([A-Za-z]+)/g, (_, name: string) => ids[name] ?? '');
  return call(method, target, { key, ...(body === undefined ? {} : { body }) });
}

const rows = ownedRoutes.flatMap((route) =>
  [...route.path.matchAll(/:([A-Za-z]+)/g)].map(
    ([, name = '']) => [`${route.method} ${route.path}`, name, route] as const,
  ),
);

describe.each(rows)('%s', (_name, parameter, route) => {
  it(`answers 404 when ${parameter} is another account's, in the words of an id that nobody has`, async () => {
    const theirs = other.ids[parameter] ?? '';
    const nobodys = unknown(theirs);
    expect(nobodys).not.toBe(theirs);
    const refused = await ask(route, { ...asker.ids, [parameter]: theirs });
    const missing = await ask(route, { ...asker.ids, [parameter]: nobodys });
    const withoutId = (text: string, id: string): string => text.replaceAll(id.replace(/:[a-z]+$/, ''), '…');
    expect([refused.status, withoutId(refused.text, theirs)]).toEqual([404, withoutId(missing.text, nobodys)]);
  });
});

describe('what another account asked for by its id', () => {
  it.each(ownedRoutes.filter(({ method }) => method === 'GET'))(
    'is still its own, and its key reads it: $path',
    async (route) => {
      expect((await ask(route, other.ids, other.key)).status).toBe(200);
    },
  );
});
