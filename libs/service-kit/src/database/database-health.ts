import type pg from 'pg';
import type { ConnectionWatch } from './connection-watch.js';
import type { DatabaseClock } from './database-clock.js';
import { delay } from '../util/timing.js';

/** Milliseconds within which the database must answer to count as there; less than what a probe of `/readyz` waits. */
const ANSWER_TIMEOUT_MS = 700;
/** Milliseconds for which an answer is believed, so that probes do not become a load. */
const BELIEVED_MS = 250;

/** Says whether the database answers, asked when somebody wants to know. */
export class DatabaseHealth {
  private asking: Promise<boolean> | undefined;

  constructor(
    private readonly pool: pg.Pool,
    private readonly watch: ConnectionWatch,
    private readonly clock: DatabaseClock,
  ) {}

  /** The machine's clock agrees with the database's. Where it does not, the replica believes no token, and nobody believes its own. */
  clockAgrees(): boolean {
    return this.clock.trouble() === undefined;
  }

  /** Never rejects, and is bounded; who asks at the same time shares the question. */
  answers(): Promise<boolean> {
    if (this.asking !== undefined) return this.asking;
    const asking = this.ask();
    this.asking = asking;
    void asking.then(() =>
      setTimeout(() => {
        this.asking = undefined;
      }, BELIEVED_MS).unref(),
    );
    return asking;
  }

  private async ask(): Promise<boolean> {
    const before = this.watch.bytesReceived();
    const late = new AbortController();
    const answered = await Promise.race([
      this.pool.query('SELECT 1').then(
        () => true,
        () => false,
      ),
      delay(ANSWER_TIMEOUT_MS, late.signal).then(() => 'late' as const),
    ]);
    late.abort();
    // In a burst the question waits for a free connection; that the others get answers is an answer too.
    return answered === 'late' ? this.watch.bytesReceived() > before : answered;
  }
}
