import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { RunningGateway } from '../test-support/running-gateway.js';
import { toldError } from '../test-support/told-error.js';
import { MAX_ERROR_BYTES } from './within-bound.js';

type Members = Readonly<Record<string, unknown>>;

let gateway: RunningGateway;
beforeEach(async () => {
  gateway = new RunningGateway();
  await gateway.start();
});
afterEach(() => gateway.stop());

const credits = '/api/v1/auth/credits';
const read = async (answer: Response): Promise<Members> => (await answer.json()) as Members;

describe('an error', () => {
  it.each([
    [400, 'invalid_request'],
    [402, 'payment_required'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [408, 'request_timeout'],
    [409, 'conflict'],
    [418, 'invalid_request'],
    [422, 'validation_error'],
    [500, 'internal_error'],
    [507, 'internal_error'],
  ] as const)('of status %i that tells no code has that of its status', async (status, code) => {
    gateway.upstream.answer(status, { status: 'failure', message: 'No.' });
    const answer = await gateway.fetch(credits);
    const told = await read(answer);
    expect(answer.status).toBe(status);
    expect(told).toMatchObject({ status: 'failure', message: 'No.', code, retryable: toldError(code).retryable });
    expect(told['next_step']).toMatch(/^\S.*\.$/);
    expect(told).not.toHaveProperty('retry_after_seconds');
  });

  it('keeps what was told of it, in its place, and gets the rest of its own code', async () => {
    const told = { status: 'failure', code: 'unknown_tool', next_step: 'Take another.', more: [1] };
    gateway.upstream.answer(422, told);
    const answer = await gateway.fetch(credits);
    expect(await answer.text()).toBe(JSON.stringify({ ...told, retryable: false }));
  });

  it('that asks to come again says when, and its body says the same', async () => {
    for (const status of [429, 503]) {
      gateway.upstream.answer(status, { status: 'failure', message: 'Later.' });
      const unsaid = await gateway.fetch(credits);
      expect([unsaid.headers.get('retry-after'), (await read(unsaid))['retry_after_seconds']]).toEqual(['1', 1]);
      gateway.upstream.answer(status, { status: 'failure', message: 'Later.' }, { 'retry-after': '17' });
      const said = await gateway.fetch(credits);
      expect([said.headers.get('retry-after'), (await read(said))['retry_after_seconds']]).toEqual(['17', 17]);
    }
    const ready = await gateway.fetch('/readyz');
    expect([ready.status, ready.headers.get('retry-after')]).toEqual(ready.status === 503 ? [503, '1'] : [200, null]);
  });

  it('of our making names the request by which its operators find it', async () => {
    gateway.upstream.answer(500, { status: 'failure', message: 'Internal error.' });
    const answer = await gateway.fetch(credits, { headers: { 'x-request-id': 'mine-1' } });
    expect((await read(answer))['next_step']).toContain('X-Request-Id mine-1');
  });

  it('in the words of OAuth has the members of RFC 6749 and no other', async () => {
    const told = { error: 'invalid_grant', error_description: 'Begin again.' };
    gateway.identity.answer(400, told);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await gateway.fetch('/api/v1/oauth/token', { method: 'POST', headers, body: 'grant_type=x' });
    expect([answer.status, await read(answer)]).toEqual([400, told]);
  });

  it('is bounded, whatever a service answers', async () => {
    const detail = Array.from({ length: 50 }, (_, n) => ({
      type: 'missing',
      loc: ['body', `f${n}`],
      msg: 'Field required',
    }));
    gateway.upstream.answer(422, { status: 'failure', message: 'x'.repeat(9_000), detail });
    const answer = await gateway.fetch(credits);
    const text = await answer.text();
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_ERROR_BYTES);
    expect(Number(answer.headers.get('content-length'))).toBe(Buffer.byteLength(text));
    expect(JSON.parse(text)).toMatchObject({ code: 'validation_error', detail: [{ loc: ['body', 'f0'] }] });
  });

  it('that no route sees has the same members', async () => {
    const undecodable = await gateway.fetch('/api/v1/%zz');
    expect([undecodable.status, await read(undecodable)]).toEqual([
      400,
      { status: 'failure', message: expect.any(String), ...toldError('invalid_request') },
    ]);
    const long = await gateway.fetch(`/api/v1/capabilities/${'x'.repeat(5_000)}`);
    expect([long.status, await read(long)]).toEqual([
      414,
      { status: 'failure', message: expect.any(String), ...toldError('uri_too_long') },
    ]);
  });
});
