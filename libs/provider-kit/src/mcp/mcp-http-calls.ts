import { LRUCache } from 'lru-cache';
import type { McpBinding } from '@capability-router/contracts';
import type { ProviderChannel } from '../channels/provider-channel.js';
import { isFailure, type Authorization, type Authorizer } from '../credentials/authorizer.js';
import type { ProviderCredential } from '../credentials/credential-source.js';
import type { EgressClient } from '../egress/index.js';
import { within } from '../flow/within.js';
import { unsent, type ProviderAnswer, type ProviderRequest } from '../provider-adapter.js';
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
    const egress = channel.egressFor(call);
    for (let renewed = false; ; renewed = true) {
      const authorization = await within(
        this.authorizer.authorize(call.binding.auth, credential, call, egress),
        endsAt - performance.now(),
      );
      if (isFailure(authorization)) return unsent(authorization);
      const answer = await this.callOnce(call, egress, authorization, endsAt, renewed);
      if (answer !== 'again') return answer;
    }
  }

  /** `again`: nothing was done, and a new session or token is worth one more try. */
  private async callOnce(
    call: McpHttpCall,
    egress: EgressClient,
    authorization: Authorization,
    endsAt: number,
    renewed: boolean,
  ): Promise<ProviderAnswer | 'again'> {
    const sessions = this.sessionsOf(call, authorization);
    const left = (): number => endsAt - performance.now();
    let kept: KeptSession | undefined;
    let reused = false;
    try {
      kept = renewed ? undefined : takeFor(sessions, egress);
      reused = kept !== undefined;
      kept ??= new KeptSession(await openHttpSession(call.url, egress, authorization, left()));
      const { session, fetch } = kept.http;
      fetch.authorization = authorization;
      const result = await session.callTool(call.binding.tool, call.parameters, left(), call.signal);
      fetch.endStreams();
      sessions.put(kept);
      return readToolResult(result, authorization.secrets, egress.maxBodyBytes);
    } catch (error) {
      const late = isLate(endsAt, call.signal);
      const answered = isAnsweredError(error) && !late && kept?.closed !== true;
      const closed = kept?.closed === true;
      if (kept !== undefined) this.release(kept, sessions, answered);
      if (!renewed && isUnauthorized(error) && authorization.rejected()) return 'again';
      if (!renewed && reused && isSessionLost(error)) return 'again';
      const failed = classifyMcp(error, {
        late,
        closed,
        report: (cause) => this.report(call.toolId, authorization.secrets.redactError(cause)),
        redact: (text) => authorization.secrets.redact(text),
      });
      // Without a session there is nothing in which the tool could have been called.
      return kept === undefined ? unsent(failed) : failed;
    }
  }

  private release(kept: KeptSession, sessions: IdleSessions<KeptSession>, answered: boolean): void {
    kept.http.fetch.endStreams();
    if (answered) sessions.put(kept);
    else void kept.close();
  }

  private sessionsOf(call: McpHttpCall, { identity }: Authorization): IdleSessions<KeptSession> {
    const key = keyOf(identity, call);
    const known = this.idle.get(key);
    if (known !== undefined) return known;
    const sessions = new IdleSessions<KeptSession>(MAX_IDLE_SESSIONS, IDLE_MS);
    this.idle.set(key, sessions);
    return sessions;
  }

  /** Sessions that serve a call now are closed after it. */
  forgetCredential(version: string): void {
    const prefix = keyOf(version);
    for (const key of [...this.idle.keys()]) if (key.startsWith(prefix)) this.idle.delete(key);
  }

  async close(): Promise<void> {
    const closing = [...this.idle.values()].map((sessions) => sessions.close());
    this.idle.clear();
    await Promise.all(closing);
  }
}

/** The first member is the credential's, so that its sessions are found by it. */
const keyOf = (identity: string, call?: McpHttpCall): string =>
  `${JSON.stringify(identity)} ${call === undefined ? '' : JSON.stringify([call.provider.providerId, call.url])}`;

/** A session of an egress policy that was changed is not used any more. */
function takeFor(sessions: IdleSessions<KeptSession>, egress: EgressClient): KeptSession | undefined {
  for (let kept = sessions.take(); kept !== undefined; kept = sessions.take()) {
    if (kept.http.egress === egress) return kept;
    void kept.close();
  }
  return undefined;
}
