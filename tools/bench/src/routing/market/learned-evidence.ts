import {
  noEvidence,
  toolEvidenceAt,
  withSample,
  type AttemptSample,
  type Evidence,
  type ToolEvidence,
} from '@capability-router/capability-routing/evidence';

/** Milliseconds from the end of a call until every decision knows of it: as long as the service takes at most. */
export const LEARNED_AFTER_MS = 2_000;

/** Whoever asks in the market: one account, which meets every failure. */
export const MARKET_ACCOUNT = 'acc_caller';

/** The service's evidence about one provider, who has one tool: counted by the service's own code, from calls of the market alone. */
export class LearnedEvidence {
  private ended: AttemptSample[] = [];
  private known: Evidence = noEvidence;

  add(sample: AttemptSample): void {
    this.ended.push(sample);
  }

  /** To be asked with times that do not go back. */
  at(nowMs: number): ToolEvidence {
    const isLearned = ({ atMs }: AttemptSample): boolean => atMs + LEARNED_AFTER_MS <= nowMs;
    const learned = this.ended.filter(isLearned).sort((a, b) => a.atMs - b.atMs);
    if (learned.length > 0) {
      this.ended = this.ended.filter((sample) => !isLearned(sample));
      this.known = learned.reduce(withSample, this.known);
    }
    return toolEvidenceAt(this.known, this.known, nowMs, MARKET_ACCOUNT);
  }
}
