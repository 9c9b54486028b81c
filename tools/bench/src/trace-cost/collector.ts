import { Child } from '../child.js';
import { benchProgram } from '../workspace.js';

const TIMEOUT_MS = 20_000;

export interface CollectorUrl {
  readonly url: string;
}

export interface CollectedSpans {
  /** So far. */
  readonly spans: number;
}

/** A collector in a process of its own, so that its work is not counted as the router's. */
export class Collector {
  private constructor(
    private readonly child: Child,
    readonly url: string,
  ) {}

  static async start(): Promise<Collector> {
    const child = new Child('the collector', benchProgram('trace-cost/collector-process.js'));
    return new Collector(child, (await child.receive<CollectorUrl>(TIMEOUT_MS)).url);
  }

  async spans(): Promise<number> {
    this.child.send({});
    return (await this.child.receive<CollectedSpans>(TIMEOUT_MS)).spans;
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}
