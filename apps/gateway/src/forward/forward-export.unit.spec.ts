import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MAX_STREAMED_ANSWER_BYTES } from '@capability-router/contracts';
import { RunningGateway, unknownKey } from '../test-support/running-gateway.js';
import { toldError } from '../test-support/told-error.js';

const CHUNK = Buffer.alloc(1_048_576, 'x');
const CHUNKS = MAX_STREAMED_ANSWER_BYTES / CHUNK.length + 8;

describe.each(['/api/v1/auth/usage/history/v2/export', '/api/v1/auth/credits/ledger/export'])('GET %s', (path) => {
  let gateway: RunningGateway;
  beforeEach(async () => {
    gateway = new RunningGateway();
    await gateway.start();
  });
  afterEach(() => gateway.stop());

  it('passes on a file of any size, with the headers that describe it, for the account that asks', async () => {
    const headers = {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="x.csv"',
      'cache-control': 'no-store',
    };
    gateway.upstream.behave = (_request, response) => {
      let left = CHUNKS;
      response.writeHead(200, headers);
      const write = (): void => {
        while (left > 0) {
          left -= 1;
          if (!response.write(CHUNK)) {
            response.once('drain', write);
            return;
          }
        }
        response.end();
      };
      write();
    };
    const answer = await gateway.fetch(`${path}?kind=call`);
    expect(Object.fromEntries(answer.headers)).toMatchObject(headers);
    let bytes = 0;
    for await (const chunk of answer.body ?? []) bytes += (chunk as Uint8Array).length;
    expect(bytes).toBe(CHUNKS * CHUNK.length);
    expect(gateway.upstream.seen[0]?.headers['x-account-assertion']).toBeDefined();
  });

  it('breaks off where the service does, and passes a refusal on', async () => {
    gateway.upstream.behave = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/csv' }).write('id\r\n');
      setTimeout(() => response.destroy(), 20);
    };
    const broken = await gateway.fetch(path);
    await expect(broken.text()).rejects.toThrow();
    const failure = { status: 'failure', message: 'Invalid start_date format.', status_code: -7, data: null };
    gateway.upstream.answer(400, failure);
    const refused = await gateway.fetch(`${path}?start_date=soon`);
    expect([refused.status, await refused.json()]).toEqual([400, { ...failure, ...toldError('invalid_request') }]);
    expect((await gateway.fetch(path, {}, unknownKey)).status).toBe(401);
  });
});
