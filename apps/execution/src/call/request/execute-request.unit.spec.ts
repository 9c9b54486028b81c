import { describe, expect, it } from '@jest/globals';
import type { RawExecuteRequest } from './domain/call.js';
import { parseExecuteRequest } from './execute-request.js';

const toolId = 'demo.numbers.add.v1';
const parse = (body: unknown, rest: Partial<RawExecuteRequest> = {}) =>
  parseExecuteRequest({ queryToolIds: [], cacheMode: undefined, body, ...rest });
const faultsOf = (body: unknown, rest: Partial<RawExecuteRequest> = {}) =>
  parse(body, rest).details.map(({ type, loc }) => `${type} ${loc.join('.')}`);

describe('a Call request', () => {
  it('needs a tool and parameters, and the rest has defaults', () => {
    expect(parse({ tool_id: toolId, parameters: {} }).request).toEqual({
      toolId,
      parameters: {},
      maxResponseBytes: 20_480,
      projection: { kind: 'full' },
      cacheMode: 'default',
    });
  });

  it('takes the tool from the query', () => {
    expect(parse({ parameters: {} }, { queryToolIds: [toolId] }).request?.toolId).toBe(toolId);
    expect(parse({ tool_id: toolId, parameters: {} }, { queryToolIds: [toolId] }).details).toEqual([]);
  });

  it('refuses different tools in query and body', () => {
    expect(faultsOf({ tool_id: 'a.b.c.v1', parameters: {} }, { queryToolIds: [toolId] })).toEqual([
      'value_error query.tool_id',
    ]);
  });

  it('names the place of what is no tool id', () => {
    expect(faultsOf({ parameters: {} }, { queryToolIds: ['12345'] })).toEqual(['value_error query.tool_id']);
    expect(faultsOf({ tool_id: '12345', parameters: {} })).toEqual(['value_error body.tool_id']);
  });

  it('says that tool_id is required as query or in the body', () => {
    const { details } = parse({ parameters: {} });
    expect(details[0]?.msg).toBe('tool_id is required, as query or in the body');
  });

  it('accepts a null search_id and unknown extra fields', () => {
    const { details, request } = parse({ tool_id: toolId, parameters: {}, search_id: null, trace: { a: 1 } });
    expect(details).toEqual([]);
    expect(request).not.toHaveProperty('searchId');
  });

  it.each<[unknown, string]>([
    [[], 'dict_type body'],
    ['text', 'dict_type body'],
    [null, 'dict_type body'],
    [{ tool_id: 7, parameters: {} }, 'string_type body.tool_id'],
    [{ tool_id: 'nonsense', parameters: {} }, 'value_error body.tool_id'],
    [{ tool_id: toolId }, 'missing body.parameters'],
    [{ tool_id: toolId, parameters: [] }, 'dict_type body.parameters'],
    [{ tool_id: toolId, parameters: {}, model: 5 }, 'string_type body.model'],
    [{ tool_id: toolId, parameters: {}, session_id: 's'.repeat(201) }, 'too_long body.session_id'],
    [{ tool_id: toolId, parameters: {}, max_response_size: 0 }, 'greater_than body.max_response_size'],
    [{ tool_id: toolId, parameters: {}, max_response_size: -2 }, 'greater_than body.max_response_size'],
    [{ tool_id: toolId, parameters: {}, max_response_size: 1.5 }, 'int_type body.max_response_size'],
    [{ tool_id: toolId, parameters: {}, max_response_size: '9' }, 'int_type body.max_response_size'],
    [{ tool_id: toolId, parameters: {}, respond_with: 'table' }, 'value_error body.respond_with'],
    [{ tool_id: toolId, parameters: {}, respond_with: 'fields:' }, 'value_error body.respond_with'],
    [{ tool_id: toolId, parameters: {}, respond_with: 'fields:$.[' }, 'value_error body.respond_with'],
    [{ tool_id: toolId, parameters: {}, respond_with: 'fields:$..a..b..c' }, 'value_error body.respond_with'],
    [{ tool_id: toolId, parameters: {}, respond_with: 'fields:$[?@..a==$..b..c]' }, 'value_error body.respond_with'],
    [
      { tool_id: toolId, parameters: {}, respond_with: 'fields:$[?@[?@[?@[?@[?@.a]]]]]' },
      'value_error body.respond_with',
    ],
  ])('names the fault of %j', (body, fault) => {
    expect(faultsOf(body)).toContain(fault);
    expect(parse(body).request).toBeUndefined();
  });

  it('reads -1 as no truncation', () => {
    const { request } = parse({ tool_id: toolId, parameters: {}, max_response_size: -1 });
    expect(request).toMatchObject({ toolId });
    expect(request?.maxResponseBytes).toBeUndefined();
  });

  it.each([0.000001, 0.25, 5, 9_000_000_000])('reads max_credits %s to the micro-credit', (credits) => {
    const { request } = parse({ tool_id: toolId, parameters: {}, max_credits: credits });
    expect(request?.maxCredits).toBe(BigInt(Math.round(credits * 1e6)));
  });

  it('reads a max_credits of null as none', () => {
    expect(parse({ tool_id: toolId, parameters: {}, max_credits: null }).request).not.toHaveProperty('maxCredits');
  });

  it.each<[unknown, string]>([
    [0, 'greater_than'],
    [-1, 'greater_than'],
    [0.0000001, 'decimal_max_places'],
    [1e-300, 'decimal_max_places'],
    [1.0000001, 'decimal_max_places'],
    [9_000_000_001, 'less_than_equal'],
    [1e308, 'less_than_equal'],
    ['5', 'float_type'],
    [true, 'float_type'],
    [[5], 'float_type'],
  ])('refuses a max_credits of %j', (credits, type) => {
    expect(faultsOf({ tool_id: toolId, parameters: {}, max_credits: credits })).toEqual([`${type} body.max_credits`]);
  });

  it('says that a number beyond all numbers came, which JSON has no form of', () => {
    const { details } = parse(JSON.parse(`{"tool_id":"${toolId}","parameters":{},"max_credits":1e400}`));
    expect(details).toMatchObject([{ loc: ['body', 'max_credits'], received: 'number beyond ±1.79e308' }]);
    expect(details[0]).not.toHaveProperty('input');
  });

  it('refuses a bad cache mode', () => {
    expect(faultsOf({ tool_id: toolId, parameters: {} }, { cacheMode: 'never' })).toEqual([
      'enum header.X-Service-Cache-Mode',
    ]);
  });

  it('keeps what could be read of a refused request', () => {
    expect(parse({ tool_id: toolId, search_id: 'srch_1', parameters: 3 }).partial).toEqual({
      toolId,
      searchId: 'srch_1',
    });
  });

  it('does not echo a large input', () => {
    const { details } = parse({ tool_id: toolId, parameters: 'x'.repeat(100_000) });
    expect(JSON.stringify(details).length).toBeLessThan(500);
  });
});
