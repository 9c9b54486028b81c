/** A small seeded generator (mulberry32), so that a failing history can be played again from its printed seed. */
export class SeededRandom {
  private state: number;

  constructor(readonly seed: number) {
    this.state = seed >>> 0;
  }

  /** A whole number from 0 to `below`, which is not included. */
  below(below: number): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4_294_967_296) * below);
  }

  pick<T>(items: readonly [T, ...T[]]): T {
    return items[this.below(items.length)] ?? items[0];
  }
}

/** TEST_SEED plays a history again; otherwise each run has its own. */
export const seedOfRun = (): number => Number(process.env['TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
