import type { ProviderDefinition, ToolBinding } from '@capability-router/contracts';
import type { JsonObject, JsonValue } from '@capability-router/kernel';

export interface ProviderRequest {
  readonly toolId: string;
  readonly provider: ProviderDefinition;
  readonly binding: ToolBinding;
  /** Already validated against the tool's schema. */
  readonly parameters: JsonObject;
  /** Milliseconds from now, waiting for a free worker or connection included. */
  readonly deadlineMs: number;
  /** Who calls; for credentials that belong to an account and not to the deployment. */
  readonly accountId?: string;
  /** Gives the call up: a running one is stopped, its answer is a timeout. */
  readonly signal?: AbortSignal;
}

/** A call was not dispatched for this reason. Nothing was sent, so nothing can have happened. */
export const providerRefusals = ['unavailable', 'signin_required', 'invalid_parameters'] as const;
export type ProviderRefusal = (typeof providerRefusals)[number];

/** A provider gave no answer for this reason. Each fault is one `reason_code` of the execution outcome. */
export type ProviderFault =
  | 'timeout'
  | 'no_response'
  | 'execution_failed'
  | 'provider_error'
  | 'http_error'
  | 'rate_limited'
  | 'auth_or_permission'
  | ProviderRefusal;

export interface ProviderFailure {
  readonly kind: 'failed';
  readonly fault: ProviderFault;
  /** For the caller: untrusted text of a provider, at most `MAX_FAILURE_MESSAGE_LENGTH` characters, never a stack. */
  readonly message: string;
  /** HTTP status of the provider, where there is one. */
  readonly statusCode?: number;
  /** May the same request succeed when it is repeated? */
  readonly retryable: boolean;
  /** The provider refused what the caller asked for, so the failure says nothing about the tool. */
  readonly callerFault?: boolean;
  /** The deployment was too busy, stopping or out of order, so the failure says nothing about the tool. */
  readonly ours?: true;
  /** Milliseconds that the provider asks to be left alone. */
  readonly retryAfterMs?: number;
  /** False: it is certain that nothing of the call was sent, so the provider did nothing. Absent: it may have been. */
  readonly sent?: false;
}

export interface ProviderSuccess {
  readonly kind: 'answered';
  readonly data: JsonValue;
  /** UTF-8 bytes of `data` as JSON, where the adapter knows them. */
  readonly sizeBytes?: number;
  /** `data` as JSON, where the adapter has it at hand. */
  readonly json?: string;
}

export type ProviderAnswer = ProviderSuccess | ProviderFailure;

/** A failure before anything was sent. */
export type RefusedCall = ProviderFailure & { readonly fault: ProviderRefusal };
/** The result of a call that was dispatched. */
export type DispatchedAnswer =
  | ProviderSuccess
  | (ProviderFailure & { readonly fault: Exclude<ProviderFault, ProviderRefusal> });

export const isRefusedCall = (answer: ProviderAnswer): answer is RefusedCall =>
  answer.kind === 'failed' && (providerRefusals as readonly string[]).includes(answer.fault);

/** Port to whoever runs tools. `call` always resolves: a fault of the provider is an answer. */
export interface ProviderAdapter {
  call(request: ProviderRequest): Promise<ProviderAnswer>;
  close(): Promise<void>;
}

/** Characters. */
export const MAX_FAILURE_MESSAGE_LENGTH = 500;

export function failure(
  fault: ProviderFault,
  message: string,
  options: Pick<ProviderFailure, 'retryable' | 'statusCode' | 'callerFault' | 'ours' | 'retryAfterMs'>,
): ProviderFailure {
  return { kind: 'failed', fault, message: message.slice(0, MAX_FAILURE_MESSAGE_LENGTH), ...options };
}

/** The same failure of a call of which nothing was sent. */
export const unsent = (failed: ProviderFailure): ProviderFailure => ({ ...failed, sent: false });
