import { describe, expect, it } from '@jest/globals';
import { reasonCodes } from '@capability-router/contracts';
import { recordedExchanges } from '@capability-router/contracts/testing';
import { MAX_ERROR_BYTES, uncountedMembers } from '@capability-router/gateway';
import { errorDefinition, isErrorCode, isJsonObject, NOT_SHOWN, type JsonObject } from '@capability-router/kernel';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
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

/** Faults whose rule is a set, a range, a size or a form. What kind of value is missing depends on what else is sent. */
const ruled =
  /^(enum|extra_forbidden|uuid_parsing|url_parsing)$|_type$|too_(long|short)$|^(greater|less)_than|_pattern_|max_places$/;

describe('the recorded faults of a rule', () => {
  const faults = errors.flatMap(({ title, body }) => faultsOf(body).map((fault): JsonObject => ({ title, ...fault })));
  const ofRule = faults.filter(({ type }) => typeof type === 'string' && ruled.test(type));

  it('tell what would be let through', () => {
    expect(ofRule.length).toBeGreaterThan(150);
    expect(ofRule.filter(({ allowed }) => !isJsonObject(allowed) || Object.keys(allowed).length === 0)).toEqual([]);
  });

  it('tell it in a schema that refuses what was received', () => {
    const ajv = addFormats.default(new Ajv2020({ strict: false }));
    const judged = ofRule.filter((fault) => 'input' in fault && fault['input'] !== NOT_SHOWN);
    // The rule of a member that is not known is one of the object that it is in.
    const valueOf = ({ type, loc, input }: JsonObject): unknown => {
      const name = Array.isArray(loc) ? loc.at(-1) : undefined;
      return type === 'extra_forbidden' && typeof name === 'string' ? { [name]: input } : input;
    };
    const taken = judged.filter((fault) => ajv.validate(fault['allowed'] as JsonObject, valueOf(fault)));
    expect(judged.length).toBeGreaterThan(100);
    expect(taken.map(({ title }) => title).sort()).toEqual([
      // Control characters and decimals are told by the message: their patterns need flags, and `multipleOf` is not exact.
      'discover.txt: a query with a control character',
      'execute.txt: max_credits with seven decimals',
    ]);
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
