import { EgressClient, type EgressResponse } from '@capability-router/provider-kit';
import type { JsonValue } from '@capability-router/kernel';
import { ModelError } from '../embedder.js';

/** Bytes of an answer: 256 vectors of 4,096 numbers as JSON. */
const MAX_ANSWER_BYTES = 32 * 1_024 * 1_024;
const MAX_CONNECTIONS = 16;
/** The longest `Retry-After` that is obeyed, in milliseconds. */
const MAX_RETRY_AFTER_MS = 60_000;

export interface ModelEndpointOptions {
  /** The operator's, so it may be on a private network; `http:` or `https:`. */
  readonly url: string;
  readonly apiKey?: string;
  /** Milliseconds for an exchange, from resolving the name to the last byte. */
  readonly timeoutMs: number;
}

/**
 * Exchanges of JSON with one model server. Redirects are never followed, since they would carry texts and the key to
 * where no operator sent them; size and time are bounded.
 */
export class ModelEndpoint {
  private readonly client: EgressClient;
  private readonly host: string;

  constructor(private readonly options: ModelEndpointOptions) {
    this.host = new URL(options.url).host;
    this.client = new EgressClient(
      { allowHttp: true, allowHosts: [new URL(options.url).hostname], allowNetworks: ['0.0.0.0/0', '::/0'] },
      { maxConnections: MAX_CONNECTIONS, maxBodyBytes: MAX_ANSWER_BYTES, connectTimeoutMs: options.timeoutMs },
    );
  }

  /** One attempt. Rejects with `ModelError`. */
  async post(body: JsonValue): Promise<JsonValue> {
    const response = await this.exchange(JSON.stringify(body));
    if (response.status === 200) return this.parse(response.body);
    throw this.refusal(response);
  }

  close(): Promise<void> {
    return this.client.destroy();
  }

  private async exchange(body: string): Promise<EgressResponse> {
    const { url, apiKey, timeoutMs } = this.options;
    try {
      return await this.client.request(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
        },
        body,
        deadlineMs: timeoutMs,
      });
    } catch (cause) {
      const why = cause instanceof Error ? cause.name : 'no answer';
      throw new ModelError('unavailable', `the model server ${this.host} did not answer (${why})`, { cause });
    }
  }

  private parse(body: Buffer): JsonValue {
    try {
      return JSON.parse(body.toString('utf8')) as JsonValue;
    } catch {
      // The error of the parser quotes the answer.
      throw new ModelError('bad_answer', `the model server ${this.host} answered something that is not JSON`);
    }
  }

  /** The body of a refusal is not repeated: servers like to quote what they were sent. */
  private refusal({ status, headers }: EgressResponse): ModelError {
    const message = `the model server ${this.host} answered ${status}`;
    if (status >= 300 && status < 400) {
      return new ModelError('unavailable', `${message}; redirects are not followed, so name the final URL`);
    }
    // 401, 403 and 404 are the operator's to repair and say nothing about the text.
    if ([400, 413, 422].includes(status)) return new ModelError('refused', message);
    const seconds = Number(headers['retry-after']);
    const retryAfterMs = Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1_000, MAX_RETRY_AFTER_MS) : 0;
    return new ModelError('unavailable', message, retryAfterMs === 0 ? {} : { retryAfterMs });
  }
}
