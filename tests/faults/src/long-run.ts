interface Rare {
  /** Shows more of what another scenario shows: it is played in `npm run test:long` alone. */
  readonly rare?: true;
}

/** The scenarios of this run: all of them in the long one, which sets TEST_LONG. */
export function ofThisRun<T extends object>(scenarios: readonly (T & Rare)[]): readonly T[] {
  return scenarios.filter(({ rare }) => rare !== true || (process.env['TEST_LONG'] ?? '') !== '');
}
