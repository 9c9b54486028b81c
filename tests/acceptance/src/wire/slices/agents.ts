import { randomUUID } from 'node:crypto';
import type { Reply } from '../../support/http.js';
import { asObject, asString } from '../../support/json.js';
import type { Slice } from '../slice.js';

const path = '/api/v1/agent/anonymous-register';

/** Trial agents. Deployments let an address register few of them a day, so there is one. */
export const agents: Slice = {
  name: 'agents',
  async run(wire) {
    const ask = (title: string, body: unknown, at = path): Promise<Reply> => wire.ask(title, 'POST', at, { body });
    const registered = await ask('a trial agent', {
      agent_name: 'corpus agent',
      model: 'large-1',
      purpose: 'to be recorded',
      unknown_member: 1,
    });
    const key = asString(asObject(registered.json['data'])['api_key'], 'api_key');
    wire.caller('the trial agent', key);
    await wire.ask('its credits', 'GET', '/api/v1/auth/credits', { key });
    await wire.ask('its ledger', 'GET', '/api/v1/auth/credits/ledger', { key });
    await wire.ask('its credentials', 'GET', '/api/v1/auth/provider-credentials', { key });
    const faults: readonly [string, unknown][] = [
      ['no name', {}],
      ['an empty name', { agent_name: '' }],
      ['a name that is too long', { agent_name: 'x'.repeat(81) }],
      ['a name that is a number', { agent_name: 5 }],
      ['a purpose that is a list', { agent_name: 'x', purpose: [] }],
      ['a list', []],
    ];
    for (const [title, body] of faults) await ask(`refused: ${title}`, body);
    const claimCode = asString(asObject(registered.json['data'])['claim_code'], 'claim_code');
    const claim = (title: string, body: object): Promise<Reply> => ask(title, body, '/api/v1/agent/claim');
    await claim('a claim by an address that does not last', { claim_code: claimCode, email: 'a@mailinator.com' });
    await claim('refused: a claim code of another form', { claim_code: 'x', email: 'a@example.org' });
    await claim('refused: an address that is none', { claim_code: claimCode, email: 'nobody' });
    const tried = { claim_code: claimCode, email: 'a@example.org', code: '123456' };
    await ask('refused: a code where none was mailed', tried, '/api/v1/agent/claim-verify');
    await ask('refused: a code of five digits', { ...tried, code: '12345' }, '/api/v1/agent/claim-verify');
    // How the code of the mail is used is another spec's.
    const email = `a-${randomUUID()}@example.org`;
    wire.name('a lasting address', email);
    await claim('a claim whose code is mailed', { claim_code: claimCode, email });
    const later = { body: { claim_code: claimCode, email }, isLimited: true };
    await wire.ask('refused: another code a moment later', 'POST', '/api/v1/agent/claim', later);
    const verify = '/api/v1/agent/claim-verify';
    const guess = { body: { ...tried, email }, isLimited: true };
    for (let used = 0; used < 4; used += 1) await wire.askUnrecorded('POST', verify, guess);
    await wire.ask('refused: the last guess', 'POST', verify, guess);
    await wire.ask('refused: a guess when no tries are left', 'POST', verify, guess);
    await ask('a token', { token: 'x' }, '/api/v1/auth/verify-token');
  },
};
