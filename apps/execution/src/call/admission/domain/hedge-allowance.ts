/** Hedges that may be saved up by plans that needed none: a provider that becomes slow at once does not double all calls. */
export const MAX_SAVED_HEDGES = 10;
/** Shares add up to whole hedges but for the rounding of floating point. */
const ROUNDING = 1e-9;

/** How many of the plans of one replica may be hedged: a share of them, over any time, and at most `MAX_SAVED_HEDGES` beyond it. */
export class HedgeAllowance {
  private saved = 0;

  /** `share`: 0 to 1; 0 for none at all. */
  constructor(private readonly share: number) {}

  /** Counts a plan. True where a hedge is to spare right now. */
  admitPlan(): boolean {
    this.saved = Math.min(MAX_SAVED_HEDGES, this.saved + this.share);
    return this.saved + ROUNDING >= 1;
  }

  /** Spends a hedge, where one is to spare. */
  take(): boolean {
    if (this.saved + ROUNDING < 1) return false;
    this.saved -= 1;
    return true;
  }
}
