import type pg from 'pg';
import type { BooksPlace } from './reconciled.js';

/** A running deployment that takes calls. */
export interface CallTarget {
  readonly name: string;
  /** The origin of the gateway. */
  readonly origin: string;
  readonly adminKey: string;
  /** Billing's database, to check the books. */
  readonly billing: pg.Pool;
  readonly versions: readonly string[];
  /** CPU seconds of each process so far. */
  readonly cpu: () => Readonly<Record<string, number>>;
  /** For `caprouter reconcile`, which ends every measurement. */
  readonly books: BooksPlace;
}
