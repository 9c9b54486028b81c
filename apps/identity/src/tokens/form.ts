import { Readable } from 'node:stream';
import { OAuthError } from './oauth-error.js';

/** Bytes; far above any request of the protocol. */
const MAX_FORM_BYTES = 16_384;

/** Parameters that may come several times: lists of the token exchange. */
const lists: ReadonlySet<string> = new Set(['tool_ids', 'provider_ids']);

/** The parameters of one request, each but those lists at most once, as RFC 6749 §3.2 demands; one without a value counts as absent. */
export class Form {
  private constructor(private readonly values: ReadonlyMap<string, readonly string[]>) {}

  /** `body`: the stream of an `application/x-www-form-urlencoded` body. Throws `OAuthError`. */
  static async read(body: unknown): Promise<Form> {
    if (!(body instanceof Readable)) throw new OAuthError('invalid_request', sendForm);
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes <= MAX_FORM_BYTES) chunks.push(chunk);
    }
    if (bytes > MAX_FORM_BYTES) throw new OAuthError('invalid_request', `Send at most ${MAX_FORM_BYTES} bytes.`);
    return Form.parse(Buffer.concat(chunks).toString('utf8'));
  }

  static parse(text: string): Form {
    const values = new Map<string, string[]>();
    for (const [name, value] of new URLSearchParams(text)) {
      const before = values.get(name);
      if (before === undefined) values.set(name, [value]);
      else if (lists.has(name)) before.push(value);
      else throw new OAuthError('invalid_request', 'Send every parameter once.');
    }
    return new Form(values);
  }

  get(name: string): string | undefined {
    const [value] = this.all(name);
    return value === '' ? undefined : value;
  }

  /** All its values, empty ones too. */
  all(name: string): readonly string[] {
    return this.values.get(name) ?? [];
  }

  /** Throws `OAuthError` where it is absent. */
  need(name: string): string {
    const value = this.get(name);
    if (value === undefined) throw new OAuthError('invalid_request', `The parameter "${name}" is missing.`);
    return value;
  }
}

const sendForm = 'Send the parameters as application/x-www-form-urlencoded.';
