/** A window of requests, as its callers are told of it. */
export interface RequestWindow {
  /** Name of the policy: letters, digits, `_` and `-`. */
  readonly policy: string;
  /** Requests that it has room for. */
  readonly limit: number;
  /** Requests left in it. */
  readonly remaining: number;
  readonly endsAtMs: number;
  /** Whole seconds until it ends, rounded up. */
  readonly secondsLeft: number;
  /** How long a window is; left out where it differs. */
  readonly windowSeconds?: number;
}

/**
 * The headers of a limited answer: those of the specification, and beside them the fields of draft-ietf-httpapi-ratelimit-headers
 * (revision 10), structured fields (RFC 9651) that clients of any server understand.
 */
export function windowHeaders({
  policy,
  limit,
  remaining,
  endsAtMs,
  secondsLeft,
  windowSeconds,
}: RequestWindow): Readonly<Record<string, string>> {
  const length = windowSeconds === undefined ? '' : `;w=${windowSeconds}`;
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(endsAtMs / 1_000)),
    'ratelimit-policy': `"${policy}";q=${limit}${length}`,
    ratelimit: `"${policy}";r=${remaining};t=${secondsLeft}`,
  };
}
