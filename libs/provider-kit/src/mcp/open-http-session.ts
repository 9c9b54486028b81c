import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Authorization } from '../credentials/authorizer.js';
import type { EgressClient } from '../egress/index.js';
import { within } from '../flow/within.js';
import { McpSession, type SessionHooks } from './mcp-session.js';
import { SessionFetch } from './session-fetch.js';

/** Milliseconds for telling a server that a session is over. */
const TERMINATE_TIMEOUT_MS = 2_000;
/** Milliseconds from the end of a stream until its last message must have been read. */
const STREAM_END_GRACE_MS = 1_000;

/** An error that the SDK does not know of: the stream of the answer ended without the answer. */
class StreamEndedError extends Error {
  override readonly name = 'StreamEndedError';
  readonly code = 'ERR_STREAM_PREMATURE_CLOSE';
}

export interface HttpSession {
  readonly session: McpSession;
  readonly fetch: SessionFetch;
  readonly egress: EgressClient;
}

/** A session over streamable HTTP. Streams are not resumed: a call whose stream breaks ends, and may be repeated. */
export async function openHttpSession(
  url: string,
  egress: EgressClient,
  authorization: Authorization,
  timeoutMs: number,
): Promise<HttpSession> {
  const fetch = new SessionFetch(egress, authorization);
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: fetch.fetch,
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 1_000,
      reconnectionDelayGrowFactor: 1,
    },
  });
  const hooks: SessionHooks = { faultOfCall: () => () => undefined };
  fetch.onStreamEnd = () => {
    const fault = hooks.faultOfCall();
    return (error) => {
      if (error !== undefined) fault(error);
      else setTimeout(() => fault(new StreamEndedError('the stream ended')), STREAM_END_GRACE_MS).unref();
    };
  };
  const end = async (): Promise<void> => {
    if (transport.sessionId !== undefined) await within(transport.terminateSession(), TERMINATE_TIMEOUT_MS);
  };
  const session = await McpSession.open(transport, hooks, end, timeoutMs);
  return { session, fetch, egress };
}
