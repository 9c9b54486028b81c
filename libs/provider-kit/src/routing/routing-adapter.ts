import type { ToolBinding } from '@capability-router/contracts';
import type { ProviderAdapter, ProviderAnswer, ProviderRequest } from '../provider-adapter.js';

export type AdaptersByKind = Readonly<Record<ToolBinding['kind'], ProviderAdapter>>;

/** Hears of every call's end; for metrics. */
export type OnAnswer = (
  request: Pick<ProviderRequest, 'binding' | 'provider'>,
  answer: ProviderAnswer,
  durationMs: number,
) => void;

/** Gives a call to the adapter of its binding's kind. */
export class RoutingAdapter implements ProviderAdapter {
  constructor(
    private readonly adapters: AdaptersByKind,
    private readonly onAnswer: OnAnswer = () => undefined,
  ) {}

  async call(request: ProviderRequest): Promise<ProviderAnswer> {
    const { kind } = request.binding;
    const startedAt = performance.now();
    const answer = await this.adapters[kind].call(request);
    this.onAnswer(request, answer, performance.now() - startedAt);
    return answer;
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.adapters).map((adapter) => adapter.close()));
  }
}
