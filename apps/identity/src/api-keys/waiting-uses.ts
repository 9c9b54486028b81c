/** Ids whose use waits to be written. Beyond it the use of others is not recorded until the next round. */
const MAX_WAITING = 10_000;

/** Times of use, by id, that are written down many at a time. */
export class WaitingUses {
  private waiting = new Map<string, number>();

  used(id: string, nowMs: number): void {
    if (this.waiting.size < MAX_WAITING || this.waiting.has(id)) this.waiting.set(id, nowMs);
  }

  /**
   * All that wait, for a statement over two arrays: ids and times, in the order of the ids.
   */
  take(): { readonly ids: readonly string[]; readonly times: readonly Date[] } {
    const sorted = [...this.waiting].sort(([one], [other]) => (one < other ? -1 : 1));
    this.waiting = new Map();
    return { ids: sorted.map(([id]) => id), times: sorted.map(([, atMs]) => new Date(atMs)) };
  }
}
