export interface Progress {
  /** Begins a step. */
  step(text: string): void;
  /** How far the step is; shown on a terminal only. */
  detail(text: string): void;
  /** Leaves the terminal as if nothing had been there; the next step begins anew. */
  end(): void;
  /** The step under way; empty where there is none. */
  readonly current: string;
}

export function createProgress(stream: {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}): Progress;

/** Of this process, on standard error. */
export const progress: Progress;
