import { setImmediate } from 'node:timers/promises';
import {
  comparePositions,
  firstAfter,
  MAX_READ_EVENTS,
  START_POSITION,
  type OutboxSource,
  type Position,
  type StoredEvent,
} from '@capability-router/event-store';
import type { Publication } from './publications.js';

/** Events of a topic that are kept for the groups that have yet to read them. */
const MAX_KEPT_EVENTS = MAX_READ_EVENTS;

export type Page = Awaited<ReturnType<OutboxSource['readAfter']>>;

/** Reads a topic for one group. */
export interface GroupReader {
  /** The next events after a position, as an outbox gives them. No position comes before that of the reading before. */
  readAfter(after: Position, limit: number): Promise<Page>;
  /** From now on nothing is kept for the group. */
  close(): void;
}

/**
 * Reads one topic for all groups of the process: what one group has read is kept until the others have read it too, so that
 * an event leaves the database, and is parsed, once. Groups share the objects and must not change them. A group that has fallen
 * behind what is kept reads by itself.
 *
 * Each reading that is not a full page ends with a look at the database that begins after it was asked for, so that no group
 * hears of an event later than if it read alone.
 */
export class OutboxReader {
  /** Without a gap: the events of the topic after `start` up to `end`. */
  private kept: StoredEvent[] = [];
  private start: Position = START_POSITION;
  private end: Position = START_POSITION;
  /** Where each group has read to. */
  private readonly groups = new Map<object, Position>();
  /** The look that is under way, and the one after it: for whoever asks while it is under way. */
  private underWay: Promise<unknown> = Promise.resolve();
  private next: { limit: number; readonly extended: Promise<boolean> } | undefined;

  constructor(
    private readonly topic: string,
    readonly publication: Publication,
  ) {}

  /** Events that are kept for groups that have yet to read them. */
  get keptEvents(): number {
    return this.kept.length;
  }

  /** For a group that begins at a position. */
  open(from: Position): GroupReader {
    const group = {};
    this.groups.set(group, from);
    return {
      readAfter: (after, limit) => {
        this.groups.set(group, after);
        return this.readAfter(after, limit);
      },
      close: () => {
        this.groups.delete(group);
        this.forget();
      },
    };
  }

  private async readAfter(after: Position, limit: number): Promise<Page> {
    if (this.groups.size === 1 || this.isBehind(after)) return this.read(after, limit);
    if (comparePositions(after, this.end) > 0) this.begin(after);
    const kept = this.keptAfter(after, limit);
    if (kept.events.length === limit) return kept;
    const extended = await this.look(limit);
    // Meanwhile another group may have begun elsewhere, or have read so far that this one has fallen behind.
    return extended && !this.isBehind(after) ? this.keptAfter(after, limit) : this.read(after, limit);
  }

  /** Reads on from the end of what is kept; answers whether that was extended. */
  private look(limit: number): Promise<boolean> {
    if (this.next !== undefined) {
      this.next.limit = Math.max(this.next.limit, limit);
      return this.next.extended;
    }
    const extended = this.underWay
      .catch(() => undefined)
      // Groups that are woken together ask together.
      .then(() => setImmediate())
      .then(() => {
        const { limit: asked } = this.next ?? { limit };
        this.next = undefined;
        return this.extend(asked);
      });
    this.next = { limit, extended };
    this.underWay = extended;
    return extended;
  }

  private async extend(limit: number): Promise<boolean> {
    const from = this.end;
    const page = await this.read(from, limit);
    if (this.end !== from) return false;
    this.kept.push(...page.events);
    this.end = page.position;
    this.forget();
    return true;
  }

  private read(after: Position, limit: number): Promise<Page> {
    const { outbox, pool } = this.publication;
    return outbox.readAfter(pool, after, limit, [this.topic]);
  }

  private keptAfter(after: Position, limit: number): Page {
    const first = firstAfter(this.kept, after);
    const events = this.kept.slice(first, first + limit);
    const isLast = first + events.length === this.kept.length;
    return { events, position: isLast ? this.end : (events.at(-1)?.position ?? after) };
  }

  private begin(start: Position): void {
    this.kept = [];
    this.start = start;
    this.end = start;
  }

  /** Lets go of what every group has read that is not behind, and of the oldest beyond the bound. */
  private forget(): void {
    const [slowest = this.end] = [...this.groups.values()]
      .filter((position) => !this.isBehind(position))
      .sort(comparePositions);
    const forgotten = Math.max(firstAfter(this.kept, slowest), this.kept.length - MAX_KEPT_EVENTS);
    if (forgotten <= 0) return;
    this.start = this.kept[forgotten - 1]?.position ?? this.start;
    this.kept.splice(0, forgotten);
  }

  private isBehind(position: Position): boolean {
    return comparePositions(position, this.start) < 0;
  }
}
