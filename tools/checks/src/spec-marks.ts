/** Marks are comments of their own, on a line that begins with the tag and goes on with the reason. */
const isMarked =
  (tag: string) =>
  (content: string): boolean =>
    new RegExp(`^/\\*\\* @${tag}(?![\\w-])`, 'm').test(content);

/**
 * Is the spec marked to run on every version of PostgreSQL that the project supports, not only on the newest? The mark
 * says what may differ, such as a plan, the text of an error, or a migration.
 */
export const isForEveryPostgres = isMarked('postgres-versions');

/**
 * Is the spec marked as one that compares the time of one thing with that of another? It then runs by itself: beside
 * others, what V8 does in threads of its own counts several times over.
 */
export const measuresTime = isMarked('measures-time');

/** Is the spec marked as one that takes much longer than its size tells? It is then begun first. */
export const takesLong = isMarked('takes-long');

/** Does the spec take too long for every run? `npm run test:long` alone plays it, by itself and whatever its name says; it starts what it needs. */
export const isForLongRun = isMarked('long-run');
