import leven from 'leven';

/** Characters; the names of other programs are often one letter away from a shorter one. */
const MIN_LENGTH = 8;
/** Letters that are missing, wrong or too many. */
const MAX_DISTANCE = 2;

export interface NearMiss {
  /** Set, and read by nothing. */
  readonly name: string;
  /** The variable that was probably meant. */
  readonly meant: string;
}

/**
 * Variables that nothing reads and whose names are nearly those of ones that are read, such as `RATE_LIMT_CALL`. They are no
 * error, since an environment holds variables of other programs too, but whoever set one believes that it does something.
 */
export function nearMisses(env: NodeJS.ProcessEnv, known: readonly string[]): readonly NearMiss[] {
  const names = new Set(known);
  return Object.keys(env)
    .filter((name) => name.length >= MIN_LENGTH && !names.has(name))
    .flatMap((name) => {
      const meant = known.find(
        (other) => other.length >= MIN_LENGTH && leven(name.toUpperCase(), other) <= MAX_DISTANCE,
      );
      return meant === undefined ? [] : [{ name, meant }];
    });
}

/** For a log or a terminal. */
export const tellNearMiss = ({ name, meant }: NearMiss): string =>
  `${name} is not a setting and does nothing; is ${meant} meant?`;
