import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { GatewayStandIn } from '../test-support/gateway-stand-in.js';

const TOOL = 'formula.unit.convert.v1';
const served = {
  status: 200,
  body: { execution_id: 'exec_1', result: { data: { value: 4.8 } }, success: true, cost: 0.5, remaining_credits: 9.5 },
};

let gateway: GatewayStandIn;
beforeEach(async () => {
  gateway = await GatewayStandIn.start();
});
afterEach(() => gateway.stop());

describe('caprouter discover', () => {
  it('asks with the words of the need, and shows what is found', async () => {
    const found = { tool_id: TOOL, expected_cost: '0.5', final_score: 0.9, name: 'Convert units' };
    gateway.answer = { status: 200, body: { search_id: 'srch_1', total: 1, results: [found] } };
    const { code, out } = await gateway.caprouter('discover', 'convert', 'miles', '--limit', '3');
    expect([code, out.split('\n')[1]?.split(/ {2,}/)]).toEqual([0, [TOOL, '0.5', '0.9', 'Convert units']]);
    const line = 'POST /api/v1/search';
    expect(gateway.requests).toMatchObject([{ line, body: { query: 'convert miles', limit: 3 } }]);
  });

  it('says that there is nothing, and what the router says to that', async () => {
    const notice = 'No tool fits this request. Say in a few words what the tool is to do.';
    gateway.answer = { status: 200, body: { results: [], total: 0, notice } };
    const said = await gateway.caprouter('discover', 'x');
    expect(said).toMatchObject({ code: 0, out: 'no tool does this', error: notice });
  });
});

it('caprouter inspect shows the parameters, and an example as a command that a shell takes', async () => {
  const params = [{ name: 'text', type: 'string', required: true, description: 'Any text.' }];
  const examples = { sample_parameters: { text: "it's" } };
  gateway.answer = { status: 200, body: { results: [{ tool_id: TOOL, name: 'Say', params, examples }], total: 1 } };
  const { out } = await gateway.caprouter('inspect', TOOL);
  expect(out).toContain('text       string  yes     Any text.');
  expect(out).toContain(`caprouter call ${TOOL} --parameters '{"text":"it'\\''s"}'`);
});

it('caprouter probe says what is wrong, and what a call would cost', async () => {
  const schema = { valid: false, violations: [{ param: 'to_unit', type: 'missing', message: 'Field required' }] };
  gateway.answer = { status: 200, body: { schema, quote: { estimate_credits: 0.5, exact: true } } };
  const { out } = await gateway.caprouter('probe', TOOL, '-p', 'value=3');
  expect(out).toBe('the parameters are not valid\n  to_unit: Field required\nprice: 0.5 credits');
  const body = { tool_id: TOOL, parameters: { value: 3 }, checks: ['schema', 'quote'] };
  expect(gateway.requests).toMatchObject([{ line: 'POST /api/v1/tools/probe', body }]);
});

describe('caprouter call', () => {
  it('prints the result alone, and the bill for people', async () => {
    gateway.answer = served;
    const args = [TOOL, '--max-credits', '0.5', '-p', 'value=3', '-p', 'from_unit=mile'];
    const { code, out, error } = await gateway.caprouter('call', ...args);
    expect([code, JSON.parse(out)]).toEqual([0, { value: 4.8 }]);
    expect(error).toBe('0.5 credits, 9.5 left; caprouter usage --execution exec_1');
    const body = { tool_id: TOOL, parameters: { value: 3, from_unit: 'mile' }, max_credits: 0.5 };
    expect(gateway.requests).toMatchObject([{ line: 'POST /api/v1/tools/execute', body }]);
  });

  it('has an idempotency key each time: a new one, or that of the command that it repeats', async () => {
    gateway.answer = served;
    await gateway.caprouter('call', TOOL);
    await gateway.caprouter('call', TOOL);
    await gateway.caprouter('call', TOOL, '--idempotency-key', 'again');
    const [one, two, three] = gateway.requests.map(({ key }) => key);
    expect(one).toMatch(/^[0-9a-f-]{36}$/);
    expect([two === one, three]).toEqual([false, 'again']);
  });

  it('is sent again under its key where the gateway asks for it, and the end of that is a refusal', async () => {
    const away = { status: 503, body: { message: 'away', code: 'not_dispatched' }, headers: { 'retry-after': '0' } };
    gateway.answers = [away, { ...away, status: 409 }];
    gateway.answer = served;
    expect((await gateway.caprouter('call', TOOL)).code).toBe(0);
    expect(new Set(gateway.requests.map(({ key }) => key)).size).toBe(1);
    expect(gateway.requests).toHaveLength(3);
    gateway.answer = away;
    const { code, error } = await gateway.caprouter('call', TOOL);
    expect([code, error]).toEqual([3, expect.stringMatching(/^error: away \(503\)\n.*--idempotency-key/)]);
  });

  it('does not wait at a terminal for longer than a few seconds', async () => {
    gateway.answer = { status: 429, body: { message: 'slow down' }, headers: { 'retry-after': '40' } };
    expect(await gateway.caprouter('call', TOOL)).toMatchObject({
      code: 1,
      error: 'error: slow down (429)\n  Try again in 40 s.',
    });
    expect(gateway.requests).toHaveLength(1);
  });

  it('names the key under which it can be repeated where no answer came', async () => {
    const gone = await GatewayStandIn.start();
    const env = { CAPROUTER_GATEWAY_URL: gone.origin, CAPROUTER_API_KEY: 'sk-environment00' };
    await gone.stop();
    const { code, error } = await gateway.caprouterIn(env, '', 'call', TOOL);
    expect([code, error]).toEqual([3, expect.stringMatching(/Repeat it with --idempotency-key [0-9a-f-]{36}/)]);
  });

  it('fails with the reason where there is no result, and with JSON where JSON is wanted', async () => {
    const outcome = { user_message: 'The tool timed out.' };
    const body = { execution_id: 'exec_1', result: { data: {} }, success: false, cost: 0, execution_outcome: outcome };
    gateway.answer = { status: 200, body };
    expect(await gateway.caprouter('call', TOOL)).toMatchObject({
      code: 1,
      out: '',
      error: expect.stringContaining('error: The tool timed out.'),
    });
    const { code, error } = await gateway.caprouter('--json', 'call', TOOL);
    expect([code, JSON.parse(error)]).toMatchObject([
      1,
      { error: { message: 'The tool timed out.', exit_code: 1, answer: { execution_id: 'exec_1' } } },
    ]);
  });

  it('says which members of a refused request are at fault', async () => {
    const details = [{ type: 'missing', loc: ['body', 'parameters', 'to_unit'], msg: 'Field required' }];
    gateway.answer = { status: 422, body: { success: false, error_message: 'Invalid parameters', details } };
    const { code, error } = await gateway.caprouter('call', TOOL);
    expect([code, error]).toEqual([1, 'error: Invalid parameters (422)\n  parameters.to_unit: Field required']);
  });

  it('says how a text is sent that -p has read as JSON', async () => {
    const told = (name: string) => ({
      type: 'string_type',
      loc: ['body', 'parameters', name],
      msg: 'Input should be a string',
    });
    const details = [told('expression'), told('unit')];
    gateway.answer = { status: 422, body: { success: false, error_message: 'Invalid parameters', details } };
    const { error } = await gateway.caprouter('call', TOOL, '-p', 'expression=6', '-p', 'unit=m', '-p', 'days=3');
    expect(error.split('\n').slice(3)).toEqual([
      `  "expression" was read as JSON. To send it as a text, write -p 'expression="6"'`,
    ]);
    const schema = { valid: false, violations: [{ param: 'expression', type: 'string_type', message: 'No string' }] };
    gateway.answer = { status: 200, body: { schema } };
    const { out } = await gateway.caprouter('probe', TOOL, '-p', 'expression=6');
    expect(out).toContain(`write -p 'expression="6"'`);
    gateway.answer = served;
    await gateway.caprouter('call', TOOL, '-p', 'expression="6"');
    expect(gateway.requests.at(-1)).toMatchObject({ body: { parameters: { expression: '6' } } });
  });

  it.each([
    [['-p', 'value']],
    [['-p', '=3']],
    [['--parameters', '[1]']],
    [['--parameters', '{']],
    [['--parameters', '@/nowhere/at/all.json']],
    [['--parameters', '{}', '-p', 'value=3']],
    [['--max-response-size', '0']],
  ])('sends nothing for %j', async (args) => {
    expect(await gateway.caprouter('call', TOOL, ...args)).toMatchObject({ code: 2, out: '' });
    expect(gateway.requests).toEqual([]);
  });

  it.each([
    [['call'], 'missing required argument'],
    [['call', TOOL, '--nonsense'], "unknown option '--nonsense'"],
    [['nonsense'], "unknown command 'nonsense'"],
    [[], 'no command is given'],
    [['keys', 'own'], 'no command is given'],
    [['call', TOOL, '--max-response-size', '0'], 'max-response-size'],
  ])('tells a program of wrong usage as JSON, and nothing else: %j', async (args, said) => {
    const { code, out, error } = await gateway.caprouter('--json', ...args);
    expect([code, out, JSON.parse(error)]).toEqual([
      2,
      '',
      { error: { message: expect.stringContaining(said), hints: [], exit_code: 2 } },
    ]);
  });

  it('reads parameters from standard input', async () => {
    gateway.answer = served;
    const env = { CAPROUTER_GATEWAY_URL: gateway.origin, CAPROUTER_API_KEY: 'sk-environment00' };
    await gateway.caprouterIn(env, '{"value": 3}', 'call', TOOL, '--parameters', '-');
    expect(gateway.requests).toMatchObject([{ body: { parameters: { value: 3 } } }]);
  });
});

describe('caprouter query', () => {
  it('asks for a capability within a budget, and says who served it', async () => {
    gateway.answer = { ...served, body: { ...served.body, routing: { chosen: TOOL } } };
    const args = ['--capability', 'unit.convert', '--max-credits', '1.5', '--prefer', 'speed', '-p', 'value=3'];
    const { code, error } = await gateway.caprouter('query', ...args);
    expect([code, error.startsWith(`served by ${TOOL}; 0.5 credits`)]).toEqual([0, true]);
    const body = { capability_id: 'unit.convert', max_credits: 1.5, prefer: 'speed', parameters: { value: 3 } };
    expect(gateway.requests).toMatchObject([{ line: 'POST /api/v1/capabilities/query', body }]);
    expect(gateway.requests[0]?.key).toBeTruthy();
  });

  it.each([[[]], [['a', 'need', '--capability', 'unit.convert']], [['a', 'need', '--max-credits', '0']]])(
    'sends nothing for %j',
    async (args) => {
      expect(await gateway.caprouter('query', ...args)).toMatchObject({ code: 2 });
      expect(gateway.requests).toEqual([]);
    },
  );
});
