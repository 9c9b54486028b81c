import { randomUUID } from 'node:crypto';
import { pause, type LoadAccount } from './load.js';

export interface KeyedAnswer {
  readonly status: number;
  readonly replayed: boolean;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface LookedUp {
  readonly httpStatus: number;
  readonly status?: string;
  readonly response?: unknown;
}

const CALL_TIMEOUT_MS = 60_000;
const RETRY_PAUSE_MS = 500;
/** Together longer than the minute after which every rate limit starts anew. */
const RATE_LIMIT_ATTEMPTS = 70;
const RATE_LIMIT_PAUSE_MS = 1_000;
const LOOK_UP_ATTEMPTS = 300;
const LOOK_UP_PAUSE_MS = 100;

/** One call and its key, sent again until it is answered, as a careful client does. */
export class KeyedCall {
  readonly key = randomUUID();
  /** The statuses that the client got before it was answered, 0 where the connection broke. */
  readonly failures: number[] = [];
  answer: KeyedAnswer | undefined;

  constructor(
    readonly account: LoadAccount,
    readonly toolId: string,
  ) {}

  /** Waits where it asked too often. Undefined where no answer came back. */
  async send(origin: string): Promise<KeyedAnswer | undefined> {
    for (let attempt = 1; ; attempt += 1) {
      const reply = await this.sendOnce(origin);
      if (reply?.status !== 429 || attempt === RATE_LIMIT_ATTEMPTS) return reply;
      await pause(RATE_LIMIT_PAUSE_MS);
    }
  }

  private async sendOnce(origin: string): Promise<KeyedAnswer | undefined> {
    try {
      const reply = await fetch(`${origin}/api/v1/tools/execute`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${this.account.key}`,
          'content-type': 'application/json',
          'idempotency-key': this.key,
        },
        // The provider counts by it.
        body: JSON.stringify({ tool_id: this.toolId, parameters: { id: this.key } }),
        signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      });
      return {
        status: reply.status,
        replayed: reply.headers.get('idempotency-replayed') === 'true',
        body: (await reply.json()) as Record<string, unknown>,
      };
    } catch {
      return undefined;
    }
  }

  /** Sends until there is an answer or `stopped`. */
  async untilAnswered(origins: readonly string[], stopped: () => boolean = () => false): Promise<void> {
    for (let turn = 0; this.answer === undefined && !stopped(); turn += 1) {
      const reply = await this.send(origins[turn % origins.length] ?? '');
      if (reply?.status === 200) this.answer = reply;
      else {
        this.failures.push(reply?.status ?? 0);
        await pause(RETRY_PAUSE_MS);
      }
    }
  }

  /** Asks again where the gateway finds no replica: nothing is changed by asking. */
  async lookUp(origin: string): Promise<LookedUp> {
    for (let attempt = 1; ; attempt += 1) {
      const found = await this.lookUpOnce(origin);
      if (found.httpStatus < 500 || attempt === LOOK_UP_ATTEMPTS) return found;
      await pause(LOOK_UP_PAUSE_MS);
    }
  }

  private async lookUpOnce(origin: string): Promise<LookedUp> {
    const reply = await fetch(`${origin}/api/v1/tools/executions/by-idempotency-key?key=${this.key}`, {
      headers: { authorization: `Bearer ${this.account.key}` },
    });
    const body = (await reply.json()) as { data?: { status: string; response?: unknown } };
    return {
      httpStatus: reply.status,
      ...(body.data === undefined ? {} : { status: body.data.status, response: body.data.response }),
    };
  }
}
