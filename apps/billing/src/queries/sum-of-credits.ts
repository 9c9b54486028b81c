/**
 * A sum of micro-credits, as PostgreSQL gives it, as a JSON number of credits. One amount is bounded; a sum over years is
 * not, and beyond 9,000,000,000 credits it is the nearest number.
 */
export const sumOfCredits = (micro: string | null | undefined): number => Number(micro ?? '0') / 1_000_000;
