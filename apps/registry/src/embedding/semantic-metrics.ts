import { Counter, Gauge, type Registry } from 'prom-client';
import type { EmbeddingSource } from './documents/embed-tools.js';
import type { ModelOutcome } from './query/budgeted-model.js';

export interface SemanticMetrics {
  /** A question to a model, remembered answers included. */
  readonly asked: (model: 'embedding' | 'reranker', status: ModelOutcome<unknown>['status'] | 'unusable') => void;
  readonly degraded: () => void;
  readonly onTools: (source: EmbeddingSource, count: number) => void;
}

/** Metrics of models in searches. `waiting`: tools without a vector. Call it once per registry. */
export function semanticMetrics(registry: Registry, waiting: () => number): SemanticMetrics {
  const registers = [registry];
  const asked = new Counter({
    name: 'search_model_questions_total',
    help: 'Questions of searches to models by what came of them; an answer from memory counts as answered.',
    labelNames: ['model', 'status'] as const,
    registers,
  });
  const degraded = new Counter({
    name: 'search_degraded_total',
    help: 'Searches that were answered without a model that is configured, and said so.',
    registers,
  });
  const tools = new Counter({
    name: 'search_tool_embeddings_total',
    help: 'Tools by where their vector came from: stored, computed, refused by the model, or failed for now.',
    labelNames: ['source'] as const,
    registers,
  });
  new Gauge({
    name: 'search_tools_without_embedding',
    help: 'Published tools that wait for their vector.',
    registers,
    collect() {
      this.set(waiting());
    },
  });
  return {
    asked: (model, status) => asked.inc({ model, status }),
    degraded: () => degraded.inc(),
    onTools: (source, count) => tools.inc({ source }, count),
  };
}
