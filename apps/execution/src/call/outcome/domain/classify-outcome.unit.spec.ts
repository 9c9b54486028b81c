import { describe, expect, it } from '@jest/globals';
import type { JsonValue } from '@capability-router/kernel';
import { reasonCodes, type PriceRule } from '@capability-router/contracts';
import type { DispatchedAnswer } from '@capability-router/provider-kit';
import { classifyAnswer, unmapped, type Verdict } from './classify-outcome.js';

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

  it('is empty where the tool says so, also of a result that does not fit its schema', () => {
    const verdict = { empty: true, partial: true, misfit: 'x' };
    expect(classifyAnswer(answered({ none: true }), perCall, verdict)).toMatchObject({
      success: false,
      outcome: { outcome: 'empty_result', reasonCode: 'result.empty', billableSuccess: false },
    });
  });

  it('is partial and billable by what is there where the tool says so', () => {
    const data = { found: { places: [1, 2] } };
    expect(classifyAnswer(answered(data), perRow, { empty: false, partial: true })).toMatchObject({
      success: true,
      outcome: {
        outcome: 'partial_success',
        reasonCode: 'result.partial_success',
        billableSuccess: true,
        resultValid: true,
        validResultCount: 2,
      },
    });
  });

  it.each<[string, Verdict, string]>([
    ['does not fit its schema', { empty: false, partial: false, misfit: '/a must be string' }, 'provider.error'],
    ['could not be judged within its limits', 'limits', 'transport.execution_failed'],
    ['could not be judged by a server that was busy', 'busy', 'transport.execution_failed'],
  ])('is never billable for a result that %s', (_what, verdict, reasonCode) => {
    const { success, outcome, errorMessage } = classifyAnswer(answered({ a: 1 }), perCall, verdict);
    expect({ success, code: outcome.reasonCode, billable: outcome.billableSuccess }).toEqual({
      success: false,
      code: reasonCode,
      billable: false,
    });
    expect(outcome.providerSuccess || outcome.resultValid).toBe(false);
    expect(outcome.retryable).toBe(verdict === 'busy');
    expect(outcome.ours).toBe(verdict === 'busy' ? true : undefined);
    if (typeof verdict === 'object') expect(errorMessage).toContain('/a must be string');
  });

  it('is empty where nothing is there, whether the rules of the tool could be evaluated or not', () => {
    expect(classifyAnswer(answered([]), perCall, 'limits').outcome.reasonCode).toBe('result.empty');
  });

  it('is an error of the provider where the result lacks what the tool is metered by', () => {
    const perToken: PriceRule = {
      ...perCall,
      metering: { kind: 'result_units', path: 'usage.tokens', maxUnits: 10 },
      unitLabel: 'token',
    };
    expect(classifyAnswer(answered({ usage: {} }), perToken).outcome.reasonCode).toBe('provider.error');
    expect(classifyAnswer(answered({ usage: { tokens: 0 } }), perToken).outcome.reasonCode).toBe('result.valid');
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
    expect(classifyAnswer({ ...answer, ours: true }, perCall).outcome.ours).toBe(true);
    expect(classifyAnswer(answer, perCall).outcome).not.toHaveProperty('callerFault');
    expect(classifyAnswer(answer, perCall).outcome).not.toHaveProperty('ours');
    expect(unmapped.outcome.ours).toBe(true);
  });
});
