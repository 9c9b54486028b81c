import { LRUCache } from 'lru-cache';
import type { McpBinding } from '@capability-router/contracts';
import type { ProviderChannel } from '../channels/provider-channel.js';
import { isFailure, type Authorization, type Authorizer } from '../credentials/authorizer.js';
import type { ProviderCredential } from '../credentials/credential-source.js';
import { within } from '../flow/within.js';
import type { ProviderAnswer, ProviderRequest } from '../provider-adapter.js';
import { classifyMcp, isAnsweredError, isLate, isSessionLost, isUnauthorized } from './classify-mcp.js';
import { IdleSessions, type Closable } from './idle-sessions.js';
import { openHttpSession, type HttpSession } from './open-http-session.js';
import { readToolResult } from './read-tool-result.js';

/** Servers, by credential, whose sessions are kept. */
const MAX_SERVERS = 1_000;
/** Sessions that wait for calls, per server and credential. */
const MAX_IDLE_SESSIONS = 16;
/** Milliseconds that a session waits for its next call. */
const IDLE_MS = 60_000;

class KeptSession implements Closable {
  constructor(readonly http: HttpSession) {}

  get closed(): boolean {
    return this.http.session.closed;
  }

  close(): Promise<void> {
    return this.http.session.close();
  }
}

export interface McpHttpCall extends ProviderRequest {
  readonly binding: McpBinding;
  readonly url: string;
}

/** Calls over streamable HTTP. A session serves one call at a time and is kept for the next. */
export class McpHttpCalls {
  private readonly idle = new LRUCache<string, IdleSessions<KeptSession>>({
    max: MAX_SERVERS,
    dispose: (sessions) => void sessions.close(),
  });

  constructor(
    private readonly authorizer: Authorizer,
    private readonly report: (toolId: string, error: unknown) => void,
  ) {}

  async attempt(
    call: McpHttpCall,
    channel: ProviderChannel,
    credential: ProviderCredential,
    remainingMs: number,
  ): Promise<ProviderAnswer> {
    const endsAt = performance.now() + remainingMs;
    for (let renewed = false; ; renewed = true) {
      const authorization = await within(
        this.authorizer.authorize(call.binding.auth, credential, call, channel.egress),
        endsAt - performance.now(),
      );
      if (isFailure(authorization)) return authorization;
      const answer = await this.callOnce(call, channel, authorization, endsAt, renewed);
      if (answer !== 'again') return answer;
    }
  }

  /** `again`: nothing was done, and a new session or token is worth one more try. */
  private async callOnce(
    call: McpHttpCall,
    channel: ProviderChannel,
    authorization: Authorization,
    endsAt: number,
    renewed: boolean,
  ): Promise<ProviderAnswer | 'again'> {
    const sessions = this.sessionsOf(call, authorization);
    const left = (): number => endsAt - performance.now();
    let kept: KeptSession | undefined;
    let reused = false;
    try {
      kept = renewed ? undefined : takeFor(sessions, channel);
      reused = kept !== undefined;
      kept ??= new KeptSession(await openHttpSession(call.url, channel.egress, authorization, left()));
      const { session, fetch } = kept.http;
      fetch.authorization = authorization;
      const result = await session.callTool(call.binding.tool, call.parameters, left(), call.signal);
      fetch.endStreams();
      sessions.put(kept);
      return readToolResult(result, authorization.secrets, channel.egress.maxBodyBytes);
    } catch (error) {
      const late = isLate(endsAt, call.signal);
      const answered = isAnsweredError(error) && !late && kept?.closed !== true;
      const closed = kept?.closed === true;
      if (kept !== undefined) this.release(kept, sessions, answered);
      if (!renewed && isUnauthorized(error) && authorization.rejected()) return 'again';
      if (!renewed && reused && isSessionLost(error)) return 'again';
      return classifyMcp(error, {
        late,
        closed,
        report: (cause) => this.report(call.toolId, cause),
        redact: (text) => authorization.secrets.redact(text),
      });
    }
  }

  private release(kept: KeptSession, sessions: IdleSessions<KeptSession>, answered: boolean): void {
    kept.http.fetch.endStreams();
    if (answered) sessions.put(kept);
    else void kept.close();
  }

  private sessionsOf(call: McpHttpCall, { identity }: Authorization): IdleSessions<KeptSession> {
    const key = JSON.stringify([call.provider.providerId, call.url, identity]);
    const known = this.idle.get(key);
    if (known !== undefined) return known;
    const sessions = new IdleSessions<KeptSession>(MAX_IDLE_SESSIONS, IDLE_MS);
    this.idle.set(key, sessions);
    return sessions;
  }

  async close(): Promise<void> {
    const closing = [...this.idle.values()].map((sessions) => sessions.close());
    this.idle.clear();
    await Promise.all(closing);
  }
}

/** A session of an egress policy that was changed is not used any more. */
function takeFor(sessions: IdleSessions<KeptSession>, channel: ProviderChannel): KeptSession | undefined {
  for (let kept = sessions.take(); kept !== undefined; kept = sessions.take()) {
    if (kept.http.egress === channel.egress) return kept;
    void kept.close();
  }
  return undefined;
}
