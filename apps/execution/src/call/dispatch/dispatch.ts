import type { JsonObject } from '@capability-router/kernel';
import type { ToolContract } from '@capability-router/contracts';
import type { DispatchedAnswer, ProviderAdapter, ProviderAnswer, RefusedCall } from '@capability-router/provider-kit';
import { ADAPTER_GRACE_MS } from '../domain/deadlines.js';

/** Runs the tool. Whatever the adapter does, there is an answer within the deadline and a second. */
export async function dispatch(
  adapter: ProviderAdapter,
  tool: ToolContract,
  parameters: JsonObject,
  deadlineMs: number,
  accountId: string,
  signal?: AbortSignal,
): Promise<DispatchedAnswer | RefusedCall> {
  let timer: NodeJS.Timeout | undefined;
  const overrun = new Promise<ProviderAnswer>((resolve) => {
    timer = setTimeout(() => {
      resolve({ kind: 'failed', fault: 'timeout', message: '', retryable: true });
    }, deadlineMs + ADAPTER_GRACE_MS);
  });
  try {
    const call = adapter.call({
      toolId: tool.toolId,
      provider: tool.provider,
      binding: tool.binding,
      parameters,
      deadlineMs,
      accountId,
      ...(signal === undefined ? {} : { signal }),
    });
    return await Promise.race([call, overrun]);
  } catch {
    // An adapter answers its faults as values; a throw is a bug of the adapter, and its text may hold secrets.
    return { kind: 'failed', fault: 'execution_failed', message: '', retryable: false };
  } finally {
    clearTimeout(timer);
  }
}
