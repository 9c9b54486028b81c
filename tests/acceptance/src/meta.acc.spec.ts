import { describe, expect, it } from '@jest/globals';
import { API_VERSION, call } from './support/http.js';

describe('GET /meta', () => {
  it('tells the contract version without a credential, as a bare body', async () => {
    const reply = await call('GET', '/meta');
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({ contract_version: API_VERSION });
  });
});
