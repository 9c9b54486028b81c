import type { EmbeddingConfig } from '../embedding-config.js';
import { readsScripts } from '../onnx/model-settings.js';
import type { EvidencePolicy } from '../domain/semantic-evidence.js';

export interface ModelQuestion {
  /** The text whose vector is asked for. */
  readonly text: string;
  /** How its answer is read. */
  readonly policy: EvidencePolicy;
}

export interface QuestionPolicy {
  /** Is a text in a script that the model reads? */
  readonly reads: (text: string) => boolean;
  readonly policy: EvidencePolicy;
  /** For a query that the model reads only in the words of a dictionary; absent where it is not asked then. */
  readonly glossed?: EvidencePolicy;
}

/** `minFit`, 0 to 1: how well a result has to fit. */
export function questionPolicy(
  {
    scripts,
    share,
    glossedShare,
    minCosine,
  }: Pick<EmbeddingConfig, 'scripts' | 'share' | 'glossedShare' | 'minCosine'>,
  minFit: number,
): QuestionPolicy {
  return {
    reads: scripts === undefined ? () => true : readsScripts(scripts),
    policy: { share, minCosine, minFit },
    ...(glossedShare === undefined ? {} : { glossed: { share: glossedShare, minCosine, minFit } }),
  };
}

/** Absent where the model is not asked: the query is answered by words alone, and that is not degraded. */
export function modelQuestion(
  query: string,
  { reads, policy, glossed }: QuestionPolicy,
  inEnglish: (query: string) => string,
): ModelQuestion | undefined {
  if (reads(query)) return { text: query, policy };
  if (glossed === undefined) return undefined;
  const text = inEnglish(query);
  return text !== '' && reads(text) ? { text, policy: glossed } : undefined;
}
