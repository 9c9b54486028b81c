import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@capability-router/kernel';
import { errorOf, resultOf, sendMcp, toolCall } from '../../test-support/mcp-client.js';
import { RunningGateway } from '../../test-support/running-gateway.js';

let gateway: RunningGateway;
beforeEach(() => {
  gateway = new RunningGateway();
});
afterEach(() => gateway.stop());

const executionId = `exec_${'0'.repeat(32)}`;

describe('published tools', () => {
  it('are listed in pages behind the own ones, and called by their names', async () => {
    const toolIds = Array.from({ length: 53 }, (_, index) => `pub.thing-s.get_it.v${index + 1}`);
    await gateway.start({ MCP_PUBLISHED_TOOLS: toolIds.join(',') });
    const schema = { type: 'object', properties: { x: { type: 'string' } }, additionalProperties: false };
    const described = (toolId: string) => ({
      toolId,
      name: 'Get it',
      description: 'Gets it.',
      price: '1 credit per call.',
      parametersSchema: schema,
      oneOfRequired: [['x', 'y']],
      builtIn: toolId.endsWith('.v1'),
    });
    // One of them is not in the catalogue.
    gateway.upstream.answer(200, { tools: toolIds.filter((id) => !id.endsWith('.v2')).map(described) });
    const first = resultOf(await sendMcp(gateway, '2026-07-28', 'tools/list')) as {
      tools: JsonObject[];
      nextCursor: string;
    };
    expect(first.tools).toHaveLength(57);
    expect(first.tools[7]).toEqual({
      name: 'pub_thingDs_get-it_v1',
      title: 'Get it',
      description: 'Gets it.\nNeeds at least one of: x, y.\nPrice: 1 credit per call. (pub.thing-s.get_it.v1)',
      inputSchema: schema,
      annotations: {
        title: 'Get it',
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: false,
      },
    });
    expect(first.tools[8]).toMatchObject({ name: 'pub_thingDs_get-it_v3', annotations: { destructiveHint: true } });
    const params = { cursor: first.nextCursor };
    const second = resultOf(await sendMcp(gateway, '2026-07-28', 'tools/list', params)) as { tools: JsonObject[] };
    expect(second.tools.map(({ name }) => name)).toEqual(['pub_thingDs_get-it_v52', 'pub_thingDs_get-it_v53']);
    expect(second).not.toHaveProperty('nextCursor');
    // The registry was asked once, and for all of them.
    expect(gateway.upstream.seen).toHaveLength(1);
    expect(JSON.parse(gateway.upstream.seen[0]?.body ?? '')).toEqual({ toolIds });

    gateway.upstream.answer(200, { execution_id: executionId, success: true, result: { data: 1 } });
    const meta = { 'capability-router/idempotency-key': 'k-2' };
    const called = await sendMcp(
      gateway,
      '2025-11-25',
      'tools/call',
      toolCall('pub_thingDs_get-it_v53', { x: 'a' }, meta),
    );
    expect(resultOf(called)).toMatchObject({ structuredContent: { execution_id: executionId } });
    expect(gateway.upstream.seen[1]).toMatchObject({
      path: '/api/v1/tools/execute',
      body: JSON.stringify({ tool_id: 'pub.thing-s.get_it.v53', parameters: { x: 'a' } }),
      headers: { 'idempotency-key': 'k-2' },
    });
  });

  it('are not left out while the registry is away', async () => {
    await gateway.start({ MCP_PUBLISHED_TOOLS: 'a.b.c.v1' });
    gateway.upstream.answer(500, {});
    expect(errorOf(await sendMcp(gateway, '2026-07-28', 'tools/list'))).toEqual({
      code: -32_603,
      message: 'Internal error. Supply the X-Request-Id for support.',
    });
    expect(gateway.logs).toEqual([expect.objectContaining({ msg: 'a request of the protocol failed' })]);
    gateway.upstream.answer(200, { tools: [] });
    expect(resultOf(await sendMcp(gateway, '2026-07-28', 'tools/list'))['tools']).toHaveLength(7);
  });
});
