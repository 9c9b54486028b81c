/**
 * Values that differ from run to run have placeholders in a recording. An id has the same placeholder wherever it occurs
 * in a slice; ids that share their 32 hex digits, such as a call and its usage event, share the number. Money and counts
 * have none: they are compared as they are.
 */

/** A number in place of which the recording has a word: a duration, or a score that depends on the whole catalogue. */
export class Bare {
  constructor(readonly word: string) {}
}

const MS_PER_DAY = 86_400_000;
/** Times farther from now were sent by a request, and are the same in every run. */
const NEAR_DAYS = 400;
/** Ids that requests make up begin with zeros; real ones begin with the time. */
const madeUp = /^00000000/;

const patterns = {
  apiKey: /sk-[0-9A-Za-z]{34}(?![0-9A-Za-z])/g,
  clientSecret: /\bcs-[0-9A-Za-z]{40}\b/g,
  deviceCode: /\bdc-[0-9A-Za-z]{40}\b/g,
  userCode: /\b[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}\b/g,
  refreshToken: /\brt-[0-9A-Za-z]{56}\b/g,
  /** Who has signed in on the page of consents; its signature is shorter than that of an access token. */
  signedIn: /\beyJ[\w-]+\.[\w-]+\.[\w-]{43}(?![\w-])/g,
  accessToken: /\beyJ[\w-]+\.[\w-]+\.[\w-]{100,}/g,
  maskedKey: /sk-[0-9A-Za-z]{4}…[0-9A-Za-z]{4}/g,
  link: /https?:\/\/[^/\s"]+\/api\/v1\/results\/([^\s"?]+)/g,
  resultPath: /\/api\/v1\/results\/([^\s"?<]+)/g,
  metadata: /https?:\/\/[^/\s"]+(?=\/\.well-known\/)/g,
  hash: /\b[0-9a-f]{64}\b/g,
  prefixedId: /\b([a-z]{3,6})_([0-9a-f]{32})\b/g,
  uuid: /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g,
  time: /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g,
  loopback: /(127\.0\.0\.\d+|localhost):\d{4,5}\b/g,
};

/**
 * Members whose number or text is a duration or depends on what else is in the catalogue, by the word that stands for it. Once a day an
 * hour begins with the day, so where a bucket begins depends on when the requests are sent; specs of the audit look at it.
 */
const measured: Readonly<Record<string, string>> = {
  duration_ms: '<ms>',
  elapsed_time_ms: '<ms>',
  elapsed_ms: '<ms>',
  execution_time: '<seconds>',
  retry_after_seconds: '<seconds>',
  avg_execution_time_ms: '<ms>',
  p95_execution_time_ms: '<ms>',
  score: '<score>',
  final_score: '<score>',
  calls: '<calls>',
  bucket_start: '<start of a bucket>',
  quality: '<share>',
  speed: '<share>',
  explanation: '<explanation>',
  iat: '<epoch seconds>',
  exp: '<epoch seconds>',
};

/** Members whose text says nothing by itself, by what it is. */
const opaque: Readonly<Record<string, string>> = {
  next_cursor: 'cursor',
  cursor: 'cursor',
  claim_code: 'claim code',
  replica_id: 'replica',
  key_id: 'sealing key',
  kid: 'signing key',
  n: 'modulus',
  current_key_id: 'sealing key',
};

export class Placeholders {
  private readonly names = new Map<string, string>();
  private readonly numbers = new Map<string, number>();
  private readonly counts = new Map<string, number>();

  /** From now on `<name>` stands for this text, wherever it occurs. */
  name(name: string, text: string): void {
    this.names.set(text, `<${name}>`);
  }

  /** The text as it stands in the recording. */
  inText(text: string): string {
    let shown = text;
    for (const [literal, name] of this.names) shown = shown.replaceAll(literal, name);
    return shown
      .replaceAll(patterns.metadata, '<origin>')
      .replaceAll(patterns.link, (_whole, token: string) => `<origin>/api/v1/results/${this.numbered('token', token)}`)
      .replaceAll(patterns.resultPath, (_whole, token: string) => `/api/v1/results/${this.numbered('token', token)}`)
      .replaceAll(patterns.apiKey, (key) => this.numbered('api key', key))
      .replaceAll(patterns.clientSecret, (secret) => this.numbered('client secret', secret))
      .replaceAll(patterns.deviceCode, (code) => this.numbered('device code', code))
      .replaceAll(patterns.userCode, (code) => this.numbered('user code', code))
      .replaceAll(patterns.refreshToken, (token) => this.numbered('refresh token', token))
      .replaceAll(patterns.signedIn, (statement) => this.numbered('signed in', statement))
      .replaceAll(patterns.accessToken, (token) => this.numbered('access token', token))
      .replaceAll(patterns.maskedKey, (mask) => this.maskOf(mask))
      .replaceAll(patterns.hash, (hash) => (madeUp.test(hash) ? hash : this.numbered('hash', hash)))
      .replaceAll(patterns.prefixedId, (whole, prefix: string, hex: string) =>
        madeUp.test(hex) ? whole : `${prefix}_<${this.numberOf('id', hex)}>`,
      )
      .replaceAll(patterns.uuid, (uuid) => (madeUp.test(uuid) ? uuid : `<uuid ${this.numberOf('id', hexOf(uuid))}>`))
      .replaceAll(patterns.time, (time) => (isNear(time) ? `<${formOf(time)}>` : time))
      .replaceAll(patterns.loopback, '$1:<port>');
  }

  /** A validator of a stored result, in quotes, or anything else as it is. */
  inEntityTag(value: string): string {
    return value.replaceAll(/"([\w.-]{16,})"/g, (_whole, tag: string) => `"${this.numbered('etag', tag)}"`);
  }

  /** A member of a JSON value: its text or number in the recording. `member`: its name, that of its list in a list. */
  inMember(member: string, value: string | number): string | number | Bare {
    const word = measured[member];
    if (typeof value === 'number') return word === undefined ? value : new Bare(word);
    if (word !== undefined) return word;
    const kind = opaque[member];
    return kind === undefined || value === '' || this.names.has(value)
      ? this.inText(value)
      : this.numbered(kind, value);
  }

  private maskOf(mask: string): string {
    for (const [text, name] of this.names) if (isMaskOf(mask, text)) return `<mask of ${name.slice(1)}`;
    for (const text of this.numbers.keys()) {
      const [kind = '', key = ''] = text.split('\n');
      if (isMaskOf(mask, key)) return `<mask of ${this.numbered(kind, key).slice(1)}`;
    }
    return '<masked key>';
  }

  private numbered(kind: string, text: string): string {
    return `<${kind} ${this.numberOf(kind, text)}>`;
  }

  private numberOf(kind: string, text: string): number {
    const key = `${kind}\n${text}`;
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    const next = (this.counts.get(kind) ?? 0) + 1;
    this.counts.set(kind, next);
    this.numbers.set(key, next);
    return next;
  }
}

const hexOf = (uuid: string): string => uuid.replaceAll('-', '');
const isNear = (time: string): boolean => Math.abs(Date.parse(time) - Date.now()) < NEAR_DAYS * MS_PER_DAY;
/** `sk-abcd…wxyz` */
const isMaskOf = (mask: string, key: string): boolean =>
  key.startsWith(mask.slice(0, 7)) && key.endsWith(mask.slice(-4)) && key.length > mask.length;

/** A midnight stays one, so that a bucket of a day is told from any time; decimals stay as many. */
function formOf(time: string): string {
  if (time.includes('T00:00:00')) return `day ${time.slice(time.indexOf('T'))}`;
  const decimals = /\.(\d+)Z$/.exec(time)?.[1]?.length ?? 0;
  return decimals === 3 ? 'time' : `time of ${decimals} decimals`;
}
