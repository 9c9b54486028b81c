import { describe, expect, it } from '@jest/globals';
import { reasonCodes } from '@capability-router/contracts';
import { recordedExchanges } from '@capability-router/contracts/testing';
import { MAX_ERROR_BYTES, uncountedMembers } from '@capability-router/gateway';
import { errorDefinition, isErrorCode, isJsonObject, type JsonObject } from '@capability-router/kernel';
import { errorPage, reasonCodePage } from './codes.js';
import { fillPlaceholders } from './openapi/fill-placeholders.js';

interface RecordedError {
  readonly title: string;
  readonly status: number;
  readonly body: JsonObject;
}

/** Errors in the words of the interface: those of OAuth and of JSON-RPC have the members of their own specifications. */
const errors = recordedExchanges().flatMap(({ title, status, contentType, body }): RecordedError[] => {
  if (status < 400 || contentType !== 'application/json' || !body.startsWith('{')) return [];
  const told: unknown = JSON.parse(fillPlaceholders(body));
  const isOurs = isJsonObject(told) && !('error_description' in told) && !('jsonrpc' in told);
  return isOurs ? [{ title, status, body: told }] : [];
});

const faultsOf = ({ detail, details }: JsonObject): JsonObject[] =>
  [detail, details].flatMap((list) => (Array.isArray(list) ? list.filter(isJsonObject) : []));

describe('the recorded errors', () => {
  it('are many', () => expect(errors.length).toBeGreaterThan(450));

  it('each have a code of the registry, with one of its statuses, and say what to do', () => {
    const strange = errors.filter(({ status, body: { code, retryable, next_step: next } }) => {
      if (!isErrorCode(code) || typeof retryable !== 'boolean' || typeof next !== 'string') return true;
      const { httpStatus, otherStatuses = [] } = errorDefinition(code);
      // An answer without a code of its own has that of its status, whatever the status.
      return ![httpStatus, ...otherStatuses].includes(status) && code !== 'invalid_request';
    });
    expect(strange.map(({ title, status, body }) => [title, status, body['code']])).toEqual([]);
  });

  it('have no more bytes than an error may have', () => {
    const long = errors.filter(({ body }) => {
      const counted = Object.entries(body).filter(([name]) => !uncountedMembers.has(name));
      return Buffer.byteLength(JSON.stringify(Object.fromEntries(counted))) > MAX_ERROR_BYTES;
    });
    expect(long.map(({ title, body }) => [title, JSON.stringify(body).length])).toEqual([]);
  });

  it('tell of each fault where it is, and of those with an input what was received', () => {
    const faults = errors.flatMap(({ title, body }) =>
      faultsOf(body).map((fault): JsonObject => ({ title, ...fault })),
    );
    expect(faults.filter(({ type, loc, msg }) => !(type && Array.isArray(loc) && msg))).toEqual([]);
    expect(faults.length).toBeGreaterThan(200);
  });
});

describe('the page of errors', () => {
  const page = errorPage();
  const isNamed = (code: unknown): boolean => page.includes(`| \`${String(code)}\` `);

  it('names every code and every type of a fault that was answered', () => {
    const told = errors.flatMap(({ body }) => [body['code'], ...faultsOf(body).map(({ type }) => type)]);
    expect([...new Set(told)].filter((code) => !isNamed(code))).toEqual([]);
    expect(isNamed('no_such_code')).toBe(false);
  });

  it('leaves reason codes to the page that they have', () => {
    const reasons = reasonCodePage();
    expect(reasonCodes.filter((code) => !reasons.includes(`\`${code}\``))).toEqual([]);
    expect(page).toContain('reason-codes.md');
  });
});
