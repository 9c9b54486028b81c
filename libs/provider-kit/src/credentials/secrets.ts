/** Characters; what is shorter occurs by chance in any text. */
const MIN_SECRET_LENGTH = 6;
/** Characters of a part of a base64 text that stands for a secret; shorter ones occur by chance. */
const MIN_BASE64_LENGTH = 8;
/** Links of a chain of causes that are kept of an error. */
const MAX_CAUSES = 5;

const REDACTED = '[redacted]';

/** Is a value long enough to be found, and taken out, wherever it is repeated? */
export const isRedactable = (value: string): boolean => value.length >= MIN_SECRET_LENGTH;

/**
 * Takes secrets out of whatever a provider sends back: echo services and careless error texts repeat them. They are found
 * as they are, in URLs and forms, in JSON, in hexadecimal and in base64, also where that encodes more than the secret.
 */
export class Secrets {
  private readonly needles: readonly string[];

  constructor(values: readonly string[] = []) {
    const forms = values.filter(isRedactable).flatMap(formsOf);
    // The longest first: one that holds another is taken out whole.
    this.needles = [...new Set(forms)].sort((a, b) => b.length - a.length);
  }

  redact(text: string): string {
    return this.needles.reduce(
      (rest, needle) => (rest.includes(needle) ? rest.replaceAll(needle, REDACTED) : rest),
      text,
    );
  }

  /** An error that can be logged: libraries put what a server said, and addresses with keys in them, into theirs. */
  redactError(error: unknown): unknown {
    return this.needles.length === 0 ? error : this.copyOf(error, 0);
  }

  private copyOf(error: unknown, depth: number): unknown {
    if (!(error instanceof Error)) return typeof error === 'string' ? this.redact(error) : undefined;
    const cause = depth < MAX_CAUSES ? this.copyOf(error.cause, depth + 1) : undefined;
    const copy = new Error(this.redact(error.message), cause === undefined ? {} : { cause });
    copy.name = error.name;
    copy.stack = this.redact(error.stack ?? '');
    // Any other member may hold the answer that the error is about.
    const { code } = error as { code?: unknown };
    return typeof code === 'string' || typeof code === 'number' ? Object.assign(copy, { code }) : copy;
  }
}

function formsOf(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8');
  const hex = bytes.toString('hex');
  const plain = [value, ...base64Of(bytes)];
  const inUrls = plain.flatMap((text) => [encodeURIComponent(text), inForm(text)]);
  const written = [...plain, ...inUrls, ...inUrls.map(lowerEscapes)];
  const inJson = written.map((text) => JSON.stringify(text).slice(1, -1));
  // Some libraries escape slashes, too.
  const escaped = [...written, ...inJson].map((text) => text.replaceAll('/', '\\/'));
  return [...written, ...inJson, ...escaped, hex, hex.toUpperCase()];
}

/** As `URLSearchParams` writes it, at a tenth of the cost. */
const inForm = (text: string): string =>
  encodeURIComponent(text)
    .replace(/[!~'()]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');

const lowerEscapes = (text: string): string => text.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase());

/** The secret in base64 wherever it begins in what was encoded: without the characters that it shares with its neighbours. */
function base64Of(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const from = Math.ceil((before * 8) / 6);
    const to = Math.floor(((before + bytes.length) * 8) / 6);
    const own = encoded.slice(from, to);
    if (own.length < MIN_BASE64_LENGTH) return [];
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
