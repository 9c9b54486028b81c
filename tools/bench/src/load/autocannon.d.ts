/** The part of autocannon that is used here; it ships no types. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';

  namespace autocannon {
    interface Request {
      readonly method: string;
      readonly path: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body?: string;
      onResponse?(status: number, body: string): void;
    }
    interface Client {
      setRequests(requests: readonly Request[]): void;
    }
    interface Options extends Omit<Request, 'path' | 'onResponse'> {
      readonly url: string;
      readonly connections: number;
      readonly amount: number;
      /** Seconds. */
      readonly timeout: number;
      /** Milliseconds. */
      readonly sampleInt: number;
      setupClient(client: Client): void;
    }
    interface Result {
      readonly errors: number;
      readonly timeouts: number;
    }
    interface Run extends EventEmitter, PromiseLike<Result> {}
  }

  function autocannon(options: autocannon.Options): autocannon.Run;
  export = autocannon;
}
