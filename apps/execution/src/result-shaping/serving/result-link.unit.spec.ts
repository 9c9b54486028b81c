import { describe, expect, it } from '@jest/globals';
import { newAccountId, newExecutionId } from '@capability-router/kernel';
import { checkResultToken, signResultToken } from './result-link.js';

const key = Buffer.from('k'.repeat(32));
const nowMs = 1_790_000_000_000;
const LIFETIME_MS = 120 * 60_000;
const result = { accountId: newAccountId(nowMs), executionId: newExecutionId(nowMs) };

describe('a result link', () => {
  const token = signResultToken(key, result, nowMs + LIFETIME_MS);

  it('opens the result it was signed for, for as long as it was signed for', () => {
    expect(checkResultToken(key, token, nowMs)).toEqual({ status: 'valid', result });
    expect(checkResultToken(key, token, nowMs + 119 * 60_000)).toMatchObject({ status: 'valid' });
    expect(checkResultToken(key, token, nowMs + 120 * 60_000)).toEqual({ status: 'expired' });
  });

  it('is forged if anything in it was changed, also when it pretends to be expired', () => {
    const [claimId = '', account = '', expiry = '', signature = ''] = token.split('.');
    const other = newExecutionId(nowMs);
    for (const forged of [
      `${other}.${account}.${expiry}.${signature}`,
      `${claimId}.${newAccountId(nowMs).slice(4)}.${expiry}.${signature}`,
      `${claimId}.${account}.${expiry}0.${signature}`,
      `${claimId}.${account}.0.${signature}`,
      `${claimId}.${account}.${expiry}.${signature.slice(0, -1)}`,
      `${claimId}.${account}.${expiry}`,
      `${claimId}.${account}.${expiry}.${'é'.repeat(signature.length)}`,
      `${token}.x`,
      `../../etc/passwd.${account}.${expiry}.${signature}`,
      '',
      'x'.repeat(10_000),
    ]) {
      expect(checkResultToken(key, forged, nowMs)).toEqual({ status: 'forged' });
    }
    expect(checkResultToken(Buffer.from('o'.repeat(32)), token, nowMs)).toEqual({ status: 'forged' });
  });
});
