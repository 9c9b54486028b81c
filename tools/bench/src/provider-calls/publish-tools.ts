import { setTimeout as sleep } from 'node:timers/promises';

const KNOWN_TIMEOUT_MS = 30_000;
const POLL_MS = 100;
const PRICE_CREDITS = '0.5';

/** Every tool here is called with these. */
export const parameters = { symbol: 'ACME' };

export interface PublishedTool {
  /** Also the provider's name: each provider has one tool. */
  readonly providerId: string;
  /** Milliseconds after which the provider answers. */
  readonly delayMs: number;
}

export const toolIdOf = ({ providerId }: PublishedTool): string => `${providerId}.quote.get.v1`;

/** Path of the provider that a tool calls, with its parameters. */
export const pathOf = ({ delayMs }: PublishedTool): string =>
  `/after/${delayMs}/quote?${new URLSearchParams(parameters).toString()}`;

/** A provider with one paid tool, as an operator registers one of an inner network: plain http to the loopback interface. */
function manifestOf(tool: PublishedTool, providerOrigin: string): object {
  return {
    provider_id: tool.providerId,
    name: { en: tool.providerId },
    description: { en: 'Quotes of a provider of the benchmark.' },
    egress: { allow_http: true, allow_networks: ['127.0.0.1/32'] },
    tools: [
      {
        tool_id: toolIdOf(tool),
        name: { en: 'Quote' },
        description: { en: `Quote of a symbol, after ${tool.delayMs} ms.` },
        parameters_schema: {
          type: 'object',
          additionalProperties: false,
          required: ['symbol'],
          properties: { symbol: { type: 'string', maxLength: 20 } },
        },
        examples: [{ parameters }],
        price: { amount_credits: PRICE_CREDITS },
        binding: { kind: 'http', method: 'GET', url: `${providerOrigin}/after/${tool.delayMs}/quote` },
      },
    ],
  };
}

/**
 * Registers a provider for each tool through the admin API, and waits until calls find them. `callKey` is of any account;
 * it is charged for nothing. @throws Error where one is refused or not found in time.
 */
export async function publishTools(
  api: { readonly origin: string; readonly adminKey: string; readonly callKey: string },
  tools: readonly PublishedTool[],
  providerOrigin: string,
): Promise<void> {
  for (const tool of tools) {
    const answer = await fetch(`${api.origin}/admin/v1/providers/${tool.providerId}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${api.adminKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(manifestOf(tool, providerOrigin)),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`the manifest of ${tool.providerId} was answered ${answer.status}: ${text}`);
  }
  for (const tool of tools) await untilKnown(api, toolIdOf(tool));
}

/** Without parameters nothing is called: a tool is known as soon as it is the parameters that are missing, not the tool. */
async function untilKnown(api: { readonly origin: string; readonly callKey: string }, toolId: string): Promise<void> {
  const deadlineMs = performance.now() + KNOWN_TIMEOUT_MS;
  for (;;) {
    const answer = await fetch(`${api.origin}/api/v1/tools/execute`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.callKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ tool_id: toolId, parameters: {} }),
    });
    const text = await answer.text();
    if (text.includes('"missing"')) return;
    if (performance.now() > deadlineMs) throw new Error(`${toolId} was not found in time: ${answer.status} ${text}`);
    await sleep(POLL_MS);
  }
}
