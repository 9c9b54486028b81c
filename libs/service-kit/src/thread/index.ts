/**
 * Parts for work in a thread beside the service. An entry of its own, because whoever imports the whole library loads Nest and TypeORM with
 * it, a second and a hundred megabytes for each thread.
 */
export { openPoolAside, type PoolAsideOptions } from '../database/pool-aside.js';
export { ImportEnded, type ImportFormat } from '../http/import-streams.js';
export { FairTurns } from '../util/fair-turns.js';
