import { randomUUID } from 'node:crypto';
import { adminKey } from '../../support/environment.js';
import type { Reply } from '../../support/http.js';
import { asObject, asString } from '../../support/json.js';
import type { Slice } from '../slice.js';
import type { Transcript } from '../transcript.js';

const clients = '/admin/v1/oauth-clients';
const base = '/api/v1/oauth';

const form = (wire: Transcript, title: string, path: string, fields: Record<string, string>): Promise<Reply> =>
  wire.ask(title, 'POST', path, {
    rawBody: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

/** A program without a secret asks, somebody consents on the page, and it acts for them until the consent ends. */
async function consents(wire: Transcript, accountId: string): Promise<void> {
  const admin = (title: string, path: string, body: object): Promise<Reply> =>
    wire.ask(title, 'POST', path, { key: adminKey, body });
  const memberOf = (reply: Reply, name: string): string => asString(asObject(reply.json['data'])[name], name);
  const asked = { account_id: accountId, name: 'terminal', scopes: ['call', 'read'] };
  const registered = await admin('a public client', clients, { ...asked, token_endpoint_auth_method: 'none' });
  const wrong = { token_endpoint_auth_method: 'none', grant_types: ['client_credentials'] };
  await admin('a public client that acts by itself', clients, { ...asked, ...wrong });
  const client = { client_id: memberOf(registered, 'client_id') };
  const keys = `/admin/v1/accounts/${accountId}/api-keys`;
  const key = memberOf(await admin('a key of the person', keys, { name: 'laptop', scopes: ['read'] }), 'api_key');
  wire.name('key of the person', key);

  const begun = await form(wire, 'codes of a program', `${base}/device/authorize`, client);
  const codes = { device: asString(begun.json['device_code']), user: asString(begun.json['user_code']) };
  await form(wire, 'codes of nobody', `${base}/device/authorize`, {});
  const polled = { ...client, grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: codes.device };
  await form(wire, 'a poll before the consent', `${base}/token`, polled);
  await form(wire, 'a poll that comes too early', `${base}/token`, polled);
  await wire.ask('the page', 'GET', '/device');
  await form(wire, 'a code of no program', '/device', { user_code: 'BBBB-BBBB' });
  await form(wire, 'the code of the program', '/device', { user_code: codes.user });
  await form(wire, 'no key', '/device/key', { user_code: codes.user });
  const email = `nobody-${randomUUID()}@example.org`;
  wire.name('address', email);
  await form(wire, 'a mailed code', '/device/email', { user_code: codes.user, email });
  const mailed = { user_code: codes.user, email, code: '000000' };
  await form(wire, 'a wrong mailed code', '/device/email-code', mailed);
  const consent = await form(wire, 'a key', '/device/key', { user_code: codes.user, api_key: key });
  const signedIn = /name="signed_in" value="([^"]+)"/.exec(consent.text)?.[1] ?? '';
  await form(wire, 'an approval', '/device/decision', { signed_in: signedIn, decision: 'approve' });
  await form(wire, 'an approval that was given', '/device/decision', { signed_in: signedIn, decision: 'approve' });

  const given = await form(wire, 'a poll after the consent', `${base}/token`, polled);
  await form(wire, 'a poll after the tokens', `${base}/token`, polled);
  const refresh = { ...client, grant_type: 'refresh_token' };
  const used = asString(given.json['refresh_token']);
  const next = await form(wire, 'a refresh', `${base}/token`, { ...refresh, refresh_token: used });
  await form(wire, 'a refresh token that was used', `${base}/token`, { ...refresh, refresh_token: used });
  const newest = asString(next.json['refresh_token']);
  await form(wire, 'the end of a consent', `${base}/revoke`, { ...client, token: newest });
  await form(wire, 'a refresh after the end', `${base}/token`, { ...refresh, refresh_token: newest });
}

/** A program hands an agent a token that may do less than its own. */
async function exchanges(wire: Transcript, { admin, memberOf }: Registering, accountId: string): Promise<void> {
  const grant = { grant_type: 'client_credentials' };
  const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
  const planner = {
    account_id: accountId,
    name: 'planner',
    scopes: ['call'],
    grant_types: ['client_credentials', exchange],
  };
  const planning = await admin('a client that may exchange tokens', 'POST', clients, planner);
  const plannerIs = { client_id: memberOf(planning, 'client_id'), client_secret: memberOf(planning, 'client_secret') };
  const shown = (await form(wire, 'a token to be exchanged', `${base}/token`, { ...grant, ...plannerIs })).json[
    'access_token'
  ];
  wire.caller('the planner', asString(shown));
  const subject = {
    subject_token: asString(shown),
    subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
  };
  const swap = { ...plannerIs, grant_type: exchange, ...subject };
  const constraints = { tool_ids: 'almanac.time.convert.v1', run_id: 'run-1', max_credits: '2', expires_in: '60' };
  const agent = asString(
    (await form(wire, 'an exchange', `${base}/token`, { ...swap, ...constraints })).json['access_token'],
  );
  wire.caller('the agent', agent);
  await form(wire, 'an exchange of a delegation token', `${base}/token`, { ...swap, subject_token: agent });
  await form(wire, 'an exchange for no credits', `${base}/token`, { ...swap, max_credits: '0' });
  await form(wire, 'an exchange for more than there is', `${base}/token`, { ...swap, scope: 'manage' });
  await form(wire, 'what a delegation token is', `${base}/introspect`, { ...plannerIs, token: agent });
  const foreign = { tool_id: 'almanac.holiday.list.v1', parameters: { country_code: 'DE' }, run_id: 'run-1' };
  await wire.ask('a call of another tool', 'POST', '/api/v1/tools/execute', { key: agent, body: foreign });
}

interface Registering {
  readonly admin: (title: string, method: string, path: string, body?: unknown) => Promise<Reply>;
  readonly memberOf: (reply: Reply, name: string) => string;
}

/** Clients of OAuth, their tokens, and what is told of the protocol. */
export const oauth: Slice = {
  name: 'oauth',
  async run(wire) {
    const admin = (title: string, method: string, path: string, body?: unknown): Promise<Reply> =>
      wire.ask(title, method, path, { key: adminKey, ...(body === undefined ? {} : { body }) });
    const memberOf = (reply: Reply, name: string): string => asString(asObject(reply.json['data'])[name], name);

    const metadata = '/.well-known/oauth-authorization-server';
    const { json } = await wire.askUnrecorded('GET', metadata);
    wire.name('origin', asString(json['issuer'], 'issuer'));
    await wire.ask('where tokens are to be had', 'GET', metadata);
    await wire.ask('what tokens are good for', 'GET', '/.well-known/oauth-protected-resource/api/v1');

    const account = { kind: 'formal', name: 'Otto', initial_credits: 5 };
    const accountId = memberOf(await admin('an account', 'POST', '/admin/v1/accounts', account), 'account_id');
    const batch = { account_id: accountId, name: 'batch', scopes: ['read'] };
    const registered = await admin('a client', 'POST', clients, batch);
    const clientId = memberOf(registered, 'client_id');
    const secret = memberOf(registered, 'client_secret');
    await admin('the clients', 'GET', `${clients}?account_id=${accountId}`);
    await admin('the clients of no account', 'GET', clients);
    await admin('a client that could run the deployment', 'POST', clients, { ...batch, scopes: ['admin'] });

    const ask = (title: string, path: string, fields: Record<string, string>): Promise<Reply> =>
      form(wire, title, `${base}${path}`, fields);
    const own = { client_id: clientId, client_secret: secret };
    const grant = { grant_type: 'client_credentials' };
    const token = asString((await ask('a token', '/token', { ...grant, ...own })).json['access_token'], 'token');
    wire.caller('the client', token);
    await ask('a token of nobody', '/token', grant);
    await ask('an unknown grant type', '/token', { ...own, grant_type: 'password' });
    await ask('a scope that the client lacks', '/token', { ...own, ...grant, scope: 'call' });
    await wire.ask('a token in JSON', 'POST', `${base}/token`, { body: grant });
    await wire.ask('a token of no body', 'POST', `${base}/token`);
    await ask('what a token is', '/introspect', { ...own, token });
    await ask('what no token is', '/introspect', { ...own, token: 'x' });
    await wire.ask('the keys of tokens', 'GET', `${base}/jwks.json`, { hides: ['keys'] });

    await wire.ask('a read with a token', 'GET', '/api/v1/auth/credits', { key: token });
    await wire.ask('a call with a token that cannot', 'POST', '/api/v1/tools/execute', { key: token, body: {} });
    await wire.ask('whether a token is good', 'POST', '/api/v1/auth/verify-token', { body: { token } });
    await wire.ask('whether nothing is good', 'POST', '/api/v1/auth/verify-token', {});
    await ask('the end of a token', '/revoke', { ...own, token });
    await ask('the end of no token', '/revoke', { ...own, token: 'x' });
    await wire.ask('a read with a token that has ended', 'GET', '/api/v1/auth/credits', { key: token });
    await exchanges(wire, { admin, memberOf }, accountId);
    await admin('the end of the client', 'DELETE', `${clients}/${clientId}`);
    await admin('the end of no client', 'DELETE', `${clients}/client_${'0'.repeat(32)}`);
    await ask('a token of a client that has ended', '/token', { ...grant, ...own });
    await consents(wire, accountId);
    await admin('another signing key', 'POST', '/admin/v1/oauth-signing-keys:rotate');
  },
};
