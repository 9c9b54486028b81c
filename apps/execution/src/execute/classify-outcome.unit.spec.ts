import { describe, expect, it } from '@jest/globals';
import type { JsonValue } from '@capability-router/kernel';
import { reasonCodes, type PriceRule } from '@capability-router/contracts';
import type { DispatchedAnswer } from '@capability-router/provider-kit';
import { classifyAnswer } from './classify-outcome.js';

const perCall: PriceRule = { metering: { kind: 'call' }, amountMicroCredits: '1', unitLabel: 'call' };
const perRow: PriceRule = { ...perCall, metering: { kind: 'result_rows', path: 'found.places', maxUnits: 10 } };
const answered = (data: JsonValue): DispatchedAnswer => ({ kind: 'answered', data });

describe('the outcome of a call', () => {
  it.each<[JsonValue]>([[null], [[]], [{}], [{ rows: [] }]])('is empty and never billable for %j', (data) => {
    const { success, outcome } = classifyAnswer(answered(data), perCall);
    expect(success).toBe(false);
    expect(outcome).toMatchObject({
      outcome: 'empty_result',
      reasonCode: 'result.empty',
      providerSuccess: true,
      billableSuccess: false,
      resultValid: false,
    });
  });

  it.each<[JsonValue]>([[0], [false], [''], [{ rows: [0] }], [[null]], [{ total: 0 }]])(
    'is a success for %j',
    (data) => {
      expect(classifyAnswer(answered(data), perCall)).toMatchObject({
        success: true,
        outcome: { outcome: 'success', reasonCode: 'result.valid', billableSuccess: true },
      });
    },
  );

  it('is empty where the rows that the price counts are none', () => {
    const { outcome } = classifyAnswer(answered({ found: { places: [] }, took: 3 }), perRow);
    expect(outcome.reasonCode).toBe('result.empty');
  });

  it('is a provider error, not charged, where the rows that the price counts are missing', () => {
    const { success, outcome } = classifyAnswer(answered({ found: 'many' }), perRow);
    expect({ success, code: outcome.reasonCode, billable: outcome.billableSuccess }).toEqual({
      success: false,
      code: 'provider.error',
      billable: false,
    });
  });

  it('counts valid rows', () => {
    const { outcome } = classifyAnswer(answered({ found: { places: [1, 2, 3] } }), perRow);
    expect(outcome.validResultCount).toBe(3);
  });

  const failures = [
    ['timeout', 'transport.timeout', 'transport_failure'],
    ['no_response', 'transport.no_response', 'transport_failure'],
    ['execution_failed', 'transport.execution_failed', 'transport_failure'],
    ['provider_error', 'provider.error', 'provider_failure'],
    ['http_error', 'provider.http_error', 'provider_failure'],
    ['rate_limited', 'provider.rate_limited', 'provider_failure'],
    ['auth_or_permission', 'provider.auth_or_permission', 'provider_failure'],
  ] as const;
  it.each(failures)('of a %s is %s and never billable', (fault, reasonCode, outcomeName) => {
    const classified = classifyAnswer({ kind: 'failed', fault, message: 'x', retryable: true }, perCall);
    expect(classified.outcome).toMatchObject({
      outcome: outcomeName,
      reasonCode,
      billableSuccess: false,
      resultValid: false,
      retryable: true,
    });
    expect(reasonCodes).toContain(classified.outcome.reasonCode);
    expect(classified.errorMessage).toBe('x');
  });

  it('passes on the status of a provider and a bounded part of its text', () => {
    const answer = {
      kind: 'failed',
      fault: 'http_error',
      message: 'e'.repeat(9_000),
      statusCode: 503,
      retryable: true,
    } as const;
    const classified = classifyAnswer(answer, perCall);
    expect(classified.outcome.providerStatusCode).toBe(503);
    expect(classified.errorMessage).toHaveLength(500);
  });

  it('says whose fault it was, where the adapter could tell', () => {
    const answer = { kind: 'failed', fault: 'provider_error', message: 'no such unit', retryable: false } as const;
    expect(classifyAnswer({ ...answer, callerFault: true }, perCall).outcome.callerFault).toBe(true);
    expect(classifyAnswer(answer, perCall).outcome).not.toHaveProperty('callerFault');
  });
});
