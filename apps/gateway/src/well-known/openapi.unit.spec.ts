import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { RunningGateway } from '../test-support/running-gateway.js';
import { ADMIN_OPENAPI_PATH, OPENAPI_PATH } from './openapi.js';

let gateway: RunningGateway;
beforeEach(async () => {
  gateway = new RunningGateway();
  await gateway.start();
});
afterEach(() => gateway.stop());

describe.each([
  [OPENAPI_PATH, 'public.json'],
  [ADMIN_OPENAPI_PATH, 'admin.json'],
])('the OpenAPI document at %s', (path, name) => {
  it('is answered without a credential, as it is checked in', async () => {
    const file = new URL(`../../openapi/${name}`, import.meta.url);
    for (let repeated = 0; repeated < 2; repeated += 1) {
      const response = await gateway.fetch(path, {}, '');
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
      expect(await response.json()).toEqual(JSON.parse(readFileSync(file, 'utf8')));
    }
  });
});
