import { AppError, errorRegistry, type ErrorCode } from '@capability-router/kernel';
import { HttpException } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { errorAnswerOf } from './error-answer.js';

const codes = Object.keys(errorRegistry) as ErrorCode[];
const later = codes.filter((code) => [429, 503].includes(errorRegistry[code].httpStatus));

describe('an answer that asks to come later', () => {
  it('is one of the registry', () =>
    expect(later).toEqual(expect.arrayContaining(['rate_limited', 'service_unavailable'])));

  it.each(later)('says after how many seconds, whoever made it: %s', (code) => {
    expect(errorAnswerOf(new AppError(code)).headers['retry-after']).toBe('1');
    expect(errorAnswerOf(new AppError(code, undefined, { retryAfterSeconds: 7 })).headers['retry-after']).toBe('7');
  });

  it('says it also where the server or a library refuses', () => {
    expect(errorAnswerOf(new HttpException('Slow down.', 429)).headers).toEqual({ 'retry-after': '1' });
    expect(errorAnswerOf(new HttpException('No.', 403)).headers).toEqual({});
  });
});
