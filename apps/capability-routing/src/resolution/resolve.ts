import type { SearchHit } from '@capability-router/tool-search';

/** A capability that could be meant. */
export interface Meant {
  readonly capabilityId: string;
  /** 0 to 1, to two digits: how much of what was asked for it says; comparable between requests. */
  readonly certainty: number;
}

export interface Resolution {
  /** Absent where none is sure enough. */
  readonly resolved?: Meant;
  /** The nearest, best first. */
  readonly nearest: readonly Meant[];
}

/** Below this certainty none is taken. */
export const MIN_CERTAINTY = 0.45;
/** The first must be more certain than the second by this. */
export const MIN_LEAD = 0.15;
/** Words of the request that it must say: a single one fits by chance, unless it is nearly all that was asked for. */
const MIN_WORDS = 2;
export const CERTAIN_BY_ONE_WORD = 0.75;
/** Capabilities that are told. */
export const MAX_NEAREST = 5;

/** Decides which capability a request in words means, by the hits of a search over capabilities. Running one costs money, so none is guessed. */
export function resolve(hits: readonly SearchHit[]): Resolution {
  const byCertainty = [...hits].sort((a, b) => b.finalScore - a.finalScore);
  const nearest = byCertainty.slice(0, MAX_NEAREST).map(meantBy);
  const [first, second] = byCertainty;
  if (first === undefined || !isSure(first, second)) return { nearest };
  return { resolved: meantBy(first), nearest };
}

const CENT = 100;

const meantBy = ({ toolId, finalScore }: SearchHit): Meant => ({
  capabilityId: toolId,
  certainty: Math.round(finalScore * CENT) / CENT,
});

function isSure({ exact, finalScore, matches }: SearchHit, second: SearchHit | undefined): boolean {
  if (exact) return true;
  const said = matches.length >= MIN_WORDS || finalScore >= CERTAIN_BY_ONE_WORD;
  return said && finalScore >= MIN_CERTAINTY && finalScore - (second?.finalScore ?? 0) >= MIN_LEAD;
}
