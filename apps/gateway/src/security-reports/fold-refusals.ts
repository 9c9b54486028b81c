import { randomUUID } from 'node:crypto';
import type { SecurityReport } from '@capability-router/contracts';

/** Milliseconds. */
const WINDOW_MS = 60_000;

/** A refusal without its count. */
export type Refusal = Omit<SecurityReport, 'entryId' | 'occurrences'>;

interface Folded {
  readonly refusal: Refusal;
  readonly endsAtMs: number;
  occurrences: number;
  /** A report was taken in this minute. */
  wasTold: boolean;
}

/**
 * Counts refusals of one kind, caller and route together. The first of them are due at once, what follows within the
 * minute at its end: a flood of them is two reports a minute.
 */
export class FoldedRefusals {
  private readonly open = new Map<string, Folded>();

  /** @param maxOpen kinds that are counted in one minute */
  constructor(private readonly maxOpen: number) {}

  /** False: there is no room for another kind. */
  add(refusal: Refusal, nowMs: number): boolean {
    const { kind, caller, route = '', reason = '' } = refusal;
    const credential = [caller?.accountId, caller?.apiKeyId, caller?.oauthClientId].join(' ');
    const name = [kind, credential, route, reason].join('\n');
    const folded = this.open.get(name);
    if (folded !== undefined) folded.occurrences += 1;
    else if (this.open.size >= this.maxOpen) return false;
    else this.open.set(name, { refusal, endsAtMs: nowMs + WINDOW_MS, occurrences: 1, wasTold: false });
    return true;
  }

  /** Takes at most `limit` reports that are due, each with an id of its own. `atOnce`: all of them are. */
  take(nowMs: number, limit: number, atOnce = false): SecurityReport[] {
    const reports: SecurityReport[] = [];
    for (const [name, folded] of this.open) {
      if (reports.length >= limit) break;
      const hasEnded = nowMs >= folded.endsAtMs;
      const { occurrences, refusal } = folded;
      if (occurrences > 0 && (atOnce || hasEnded || !folded.wasTold)) {
        reports.push({ entryId: randomUUID(), ...refusal, occurrences });
        folded.occurrences = 0;
        folded.wasTold = true;
      }
      if (hasEnded) this.open.delete(name);
    }
    return reports;
  }
}
