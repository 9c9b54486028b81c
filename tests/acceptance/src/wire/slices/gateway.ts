import { newAccount, newKey } from '../../support/accounts.js';
import type { Slice } from '../slice.js';
import type { Transcript } from '../transcript.js';

/** A well-formed key that was never issued. */
const unknownKey = 'sk-CorpusOfAnswersNeverIssued0039k58m';
/** Requests a minute that an account may send to Probe. */
const PROBES_PER_MINUTE = 120;
/** Accounts that are tried for a window that one counter has counted. */
const MOST_ACCOUNTS = 5;

/** One route of each shape of refusal. */
const routes = [
  ['POST', '/api/v1/search'],
  ['POST', '/api/v1/tools/by-ids'],
  ['POST', '/api/v1/tools/probe'],
  ['POST', '/api/v1/tools/execute'],
  ['POST', '/api/v1/capabilities/query'],
  ['GET', '/api/v1/auth/credits'],
  ['GET', '/api/v1/providers'],
  ['GET', '/admin/v1/tools'],
] as const;

/** The requests that the gateway answers by itself. */
export const gateway: Slice = {
  name: 'gateway',
  async run(wire) {
    const { accountId, key } = await newAccount(3);
    wire.caller('anna', key);
    const reader = await newKey(accountId, ['read']);
    wire.caller('a reader', reader.key);
    const caller = await newKey(accountId, ['call']);
    wire.caller('a caller', caller.key);

    await wire.ask('the version of the interface', 'GET', '/api/v1/meta');
    await wire.ask('the request id of the caller', 'GET', '/api/v1/meta', { headers: { 'x-request-id': 'corpus-1' } });
    await wire.ask('alive', 'GET', '/livez');
    await wire.ask('ready', 'GET', '/readyz');

    for (const [method, path] of routes) {
      const body = method === 'POST' ? { body: { query: 'list things' } } : {};
      await wire.ask(`no key: ${path}`, method, path, body);
      await wire.ask(`an unknown key: ${path}`, method, path, { key: unknownKey, ...body });
      const lacking = /search|tools\/|capabilities/.test(path) && method === 'POST' ? reader.key : caller.key;
      if (path !== '/api/v1/providers')
        await wire.ask(`a scope too few: ${path}`, method, path, { key: lacking, ...body });
      if (method === 'GET') continue;
      await wire.ask(`no JSON: ${path}`, method, path, { key, rawBody: '{"query": ' });
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      await wire.ask(`another content type: ${path}`, method, path, { key, rawBody: 'query=x', headers: form });
    }
    await wire.ask('another scheme', 'GET', '/api/v1/auth/credits', { headers: { authorization: 'Basic c2stOng=' } });
    await wire.ask('a compressed body', 'POST', '/api/v1/search', {
      key,
      body: { query: 'x' },
      headers: { 'content-encoding': 'gzip' },
    });
    await wire.ask('a body that is too large', 'POST', '/api/v1/search', {
      key,
      rawBody: `{"q":"${'x'.repeat(1_100_000)}"}`,
    });
    await wire.ask('a member that comes twice', 'POST', '/api/v1/search', {
      key,
      rawBody: '{"query":"a","query":"b"}',
    });
    await wire.ask('a member __proto__', 'POST', '/api/v1/search', { key, rawBody: '{"query":"a","__proto__":{}}' });
    await wire.ask('too many levels', 'POST', '/api/v1/search', {
      key,
      rawBody: `${'['.repeat(101)}${']'.repeat(101)}`,
    });

    await wire.ask('an unknown path', 'GET', '/api/v1/no-such-path', { key });
    await wire.ask('an unknown path without a key', 'GET', '/api/v1/no-such-path');
    await wire.ask('a path of the inside', 'POST', '/internal/holds', { key, body: {} });
    await wire.ask('an unknown path of administrators', 'GET', '/admin/v1/no-such-path', { key });
    await wire.ask('a slash too many', 'POST', '/api/v1/search/', { key, body: { query: 'x' } });
    await wire.ask('another method', 'GET', '/api/v1/search', { key });
    await wire.ask('another method of a read', 'DELETE', '/api/v1/auth/credits', { key });
    await wire.ask('a URL that is too long', 'GET', `/api/v1/meta?text=${'x'.repeat(20_000)}`);
    await wire.ask('a path that cannot be decoded', 'GET', '/api/v1/auth/credits/ledger/%E0%A4%A', { key });

    const probe = { key: await keyWithTwoProbesLeft(wire), rawBody: '[' };
    wire.caller('a limited account', probe.key);
    await wire.ask('the last but one of a window', 'POST', '/api/v1/tools/probe', probe);
    await wire.ask('the last of a window', 'POST', '/api/v1/tools/probe', probe);
    await wire.ask('one more than a window', 'POST', '/api/v1/tools/probe', { ...probe, isLimited: true });
  },
};

/**
 * A key of a new account whose window has two probes left. A replica that does not reach the shared counter in time counts
 * by itself for a moment, as on a machine that is busy: then another account is tried.
 */
async function keyWithTwoProbesLeft(wire: Transcript): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    const { key } = await newAccount(0);
    const replies = await Promise.all(
      Array.from({ length: PROBES_PER_MINUTE - 2 }, () =>
        wire.askUnrecorded('POST', '/api/v1/tools/probe', { key, rawBody: '[' }),
      ),
    );
    const left = replies.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
    if (Math.min(...left) === 2 && new Set(left).size === left.length) return key;
    if (tries === MOST_ACCOUNTS) throw new Error(`${tries} accounts were counted by more than one counter`);
  }
}
