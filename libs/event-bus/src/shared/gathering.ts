/** Brings together what is handed over within one turn of the event loop. */
export class Gathering<T> {
  private items: T[] = [];
  private turn: Promise<void> | undefined;

  constructor(private readonly handle: (items: readonly T[]) => Promise<void>) {}

  /** Settles as `handle` does for all items of this turn. */
  add(item: T): Promise<void> {
    this.items.push(item);
    this.turn ??= this.afterTurn();
    return this.turn;
  }

  private async afterTurn(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    const items = this.items;
    this.items = [];
    this.turn = undefined;
    await this.handle(items);
  }
}
