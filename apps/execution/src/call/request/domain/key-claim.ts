import type { ExecutionId, JsonObject } from '@capability-router/kernel';

/** Routes whose requests may carry a key; the same key on another route is another key. */
export const idempotentRoutes = ['tools/execute', 'capabilities/query'] as const;
export type IdempotentRoute = (typeof idempotentRoutes)[number];

/** A key holds within this scope: no account sees another's. */
export interface KeyScope {
  readonly accountId: string;
  readonly route: IdempotentRoute;
  readonly key: string;
}

/** A request says this about itself when it takes its key. */
export interface KeyClaim extends KeyScope {
  /** The hash of the request; another request with the same key is refused. */
  readonly fingerprint: string;
  /** Milliseconds for which the key is remembered. */
  readonly lifetimeMs: number;
}

/** An answer on its way into the database. */
export interface KeptAnswer {
  /** JSON: the whole answer, or what is left of it once `keptAs` is gone. */
  readonly body: string;
  /** The result store has the whole answer under this id, for as long as it keeps results. */
  readonly keptAs?: ExecutionId;
  /** Milliseconds. */
  readonly lifetimeMs: number;
}

/** How a call with an idempotency key runs once: the key is taken with its start, and its answer is kept with its end. */
export interface OncePerKey {
  readonly claim: KeyClaim;
  /** Never rejects, because the tool has run. The result store is waited for until `keepUntilMs` at most. */
  keep(answer: JsonObject, keepUntilMs: number): Promise<KeptAnswer>;
}
