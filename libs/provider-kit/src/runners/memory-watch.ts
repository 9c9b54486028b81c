import type { Runner } from './runner.js';

/** Milliseconds between two looks: what grows by a gigabyte a second has then passed its bound by 50 MB. */
const INTERVAL_MS = 50;

export interface Watched {
  /** Bytes, the most that was seen. */
  readonly residentBytes: number;
  end(): void;
}

interface Entry {
  readonly runner: Runner;
  residentBytes: number;
}

/**
 * Looks from outside at the memory of processes that are occupied and ends those that have too much: V8's own limit counts
 * neither what its parts written in C++ allocate, nor buffers.
 */
export class MemoryWatch {
  private readonly entries = new Set<Entry>();
  private timer: NodeJS.Timeout | undefined;

  /** `onLook` is called at each look, so for tasks that take longer than a moment. */
  constructor(
    private readonly maxResidentBytes: number,
    private readonly onLook: () => void,
  ) {}

  add(runner: Runner): Watched {
    const entry: Entry = { runner, residentBytes: 0 };
    this.entries.add(entry);
    this.timer ??= setInterval(() => this.look(), INTERVAL_MS).unref();
    return {
      get residentBytes() {
        return Math.max(entry.residentBytes, runner.residentBytes);
      },
      end: () => void this.entries.delete(entry),
    };
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private look(): void {
    // Between two short tasks it would be stopped and started for each.
    if (this.entries.size === 0) return this.stop();
    for (const entry of this.entries) {
      entry.residentBytes = Math.max(entry.residentBytes, entry.runner.measure());
      if (entry.residentBytes > this.maxResidentBytes) entry.runner.kill('memory');
    }
    this.onLook();
  }
}
