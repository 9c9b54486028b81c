import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { AccountAssertion } from '@capability-router/contracts';
import { newAccountId, systemClock, type JsonObject } from '@capability-router/kernel';
import { startKeyedProvider, type KeyedProvider } from './keyed-provider.js';
import { startExecution, type Answer, type RunningExecution } from './running-execution.js';
import { toolContract } from './tool-contract.js';

/** Two replicas in front of one real provider, some of whose tools want credentials of the deployment and some of accounts. */
export interface CredentialsWorld {
  readonly provider: KeyedProvider;
  readonly execution: RunningExecution;
  readonly replica: RunningExecution;
  /** Lines of the log, of both replicas. */
  readonly logged: readonly string[];
  put(path: string, fields: object, as: AccountAssertion): Promise<Answer>;
  call(toolId: string, account?: AccountAssertion, on?: RunningExecution): Promise<Answer>;
  /** Requests to the provider that call its tools. */
  callsOfTools(): IncomingMessage[];
  /** Waits until the other replica refuses the tool, because it has heard of a change. */
  untilRefused(toolId: string, account: AccountAssertion): Promise<void>;
  /** The provider answers every request, no request to it is on record, and billing has credits. */
  reset(): void;
  stop(): Promise<void>;
}

export const assertion = (over: Partial<AccountAssertion> = {}): AccountAssertion => ({
  accountId: newAccountId(systemClock.nowMs()),
  accountKind: 'formal',
  credentialType: 'api_key',
  scopes: [],
  ...over,
});
export const operator = assertion({ scopes: ['admin'] });

export const adminPath = (providerId: string): string => `/admin/v1/providers/${providerId}/credentials`;
export const ownPath = (providerId: string): string => `/api/v1/auth/provider-credentials/${providerId}`;
export const reasonOf = ({ body }: Answer): unknown => (body['execution_outcome'] as JsonObject)['reason_code'];

/** Waits until the other replica has heard of a change. */
export async function untilReplica(heard: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if (await heard()) return;
    await delay(50);
  }
  throw new Error('the other replica never heard of it');
}

export async function startCredentialsWorld(): Promise<CredentialsWorld> {
  const provider = await startKeyedProvider();
  const ownAccounts = { credential: 'account' as const };
  const oauth = {
    auth: { kind: 'oauth2_client_credentials' as const, tokenUrl: `${provider.origin}/token`, scopes: [] },
  };
  const open = { auth: { kind: 'none' as const } };
  const tools = [
    provider.tool('weather', 'now', {}),
    provider.tool('weather', 'basic', { auth: { kind: 'basic' } }),
    provider.tool('other', 'now', {}),
    provider.tool('open', 'now', open),
    provider.tool('mail', 'read', {}, ownAccounts),
    provider.tool('drive', 'list', oauth, ownAccounts),
    toolContract({
      ...provider.tool('notes', 'find', {}, ownAccounts),
      binding: {
        kind: 'mcp',
        server: { transport: 'streamable_http', url: `${provider.origin}/mcp` },
        tool: 'find',
        auth: { kind: 'bearer' },
      },
    }),
  ];
  const logged: string[] = [];
  const onLog = (line: string): void => void logged.push(line);
  const execution = await startExecution(tools, undefined, {}, undefined, { onLog });
  const replica = await execution.replica({ onLog });
  const call = (toolId: string, account?: AccountAssertion, on = execution): Promise<Answer> =>
    on.call({ tool_id: toolId, parameters: { city: 'Bern' } }, account === undefined ? {} : { account });
  return {
    provider,
    execution,
    replica,
    logged,
    put: (path, fields, as) => execution.send('PUT', path, { fields }, as),
    call,
    // The session of an MCP server is ended in the background, perhaps in the test after its own: that calls no tool.
    callsOfTools: () => provider.requests.filter(({ url }) => url !== '/mcp'),
    untilRefused: (toolId, account) =>
      untilReplica(async () => reasonOf(await call(toolId, account, replica)) === 'oauth_signin_required'),
    reset() {
      provider.requests.length = 0;
      provider.listener = (_request, response) => response.end('{"ok":true}');
      execution.billing.available = 10_000_000n;
    },
    async stop() {
      await replica.stop();
      await execution.stop();
      await provider.close();
    },
  };
}
