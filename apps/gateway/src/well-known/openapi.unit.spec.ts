import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { RunningGateway } from '../test-support/running-gateway.js';
import { OPENAPI_PATH } from './openapi.js';

const file = new URL('../../openapi/public.json', import.meta.url);

let gateway: RunningGateway;
beforeEach(async () => {
  gateway = new RunningGateway();
  await gateway.start();
});
afterEach(() => gateway.stop());

describe('the OpenAPI document', () => {
  it('is answered without a credential, as it is checked in', async () => {
    for (let repeated = 0; repeated < 2; repeated += 1) {
      const response = await gateway.fetch(OPENAPI_PATH, {}, '');
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
      expect(await response.json()).toEqual(JSON.parse(readFileSync(file, 'utf8')));
    }
  });
});
