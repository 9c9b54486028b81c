import type { Clock } from '@capability-router/kernel';
import type { FeedbackVocabulary } from '../feedback/domain/feedback-terms.js';
import type { EvidenceConfig } from './evidence-config.js';

/** Injection token of `EvidenceContext`. */
export const EVIDENCE = Symbol('evidence');

/** What every event handler of this service works with. */
export interface EvidenceContext extends EvidenceConfig {
  readonly clock: Clock;
  /** Decides which words of a search feedback may keep. */
  readonly vocabulary: FeedbackVocabulary;
}
