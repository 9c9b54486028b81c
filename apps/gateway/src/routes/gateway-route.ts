import type { AccountRateClass, ApiKeyScope, ContextName } from '@capability-router/contracts';

/** Requests of one class and account (or client address) share a budget per minute. */
export type RateClass = AccountRateClass | 'anonymous';

/** The shape in which the gateway's own refusals of a route are told. */
export type ErrorShape = 'search' | 'inspect' | 'execute' | 'capability' | 'envelope' | 'plain';

export interface GatewayRoute {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Pattern of the public path. */
  readonly path: string;
  /** Path at the service, where it differs. Only for patterns without parameters. */
  readonly upstreamPath?: string;
  readonly service: ContextName;
  readonly auth: 'api_key' | 'none';
  /** The credential must carry it; where it is absent, any credential of an account will do. */
  readonly scope?: ApiKeyScope;
  readonly rate: RateClass;
  readonly shape: ErrorShape;
  /** The request may call a provider: it gets an execution id and the long deadline, and its loss is of unknown outcome. */
  readonly executes?: boolean;
  /** Reads alone, though it is no GET: it may be sent to a second replica of its service while the first does not answer. */
  readonly repeatable?: boolean;
  /** A request without a body is passed on as it is; where the route streams, as the empty object. */
  readonly bodyOptional?: boolean;
  /** The body is a form, as the protocol of OAuth has it, and what cannot be read is refused in its words. */
  readonly form?: boolean;
  /** The service reads `Authorization` itself, and its challenge to clients of OAuth is the caller's. */
  readonly ownAuthorization?: boolean;
  /** Body, if any, and answer are passed on as they come, unread; the service bounds and judges what is in them. */
  readonly streams?: boolean;
  /** The streamed answer may be longer than others, as exports are. */
  readonly answerOfAnySize?: boolean;
  /** Bytes of a streamed body, where they are fewer than the deployment allows. */
  readonly maxStreamedBytes?: number;
}
