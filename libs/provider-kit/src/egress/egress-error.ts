export type EgressRefusal = 'invalid_url' | 'scheme' | 'userinfo' | 'port' | 'host' | 'address' | 'header';

/** The guard let nothing out. The message is for the operator: it may name inner addresses. */
export class EgressRefusedError extends Error {
  override readonly name = 'EgressRefusedError';
  readonly code = 'ERR_EGRESS_REFUSED';

  constructor(
    readonly refusal: EgressRefusal,
    message: string,
  ) {
    super(message);
  }
}

/** The egress proxy would not open a tunnel. */
export class EgressProxyError extends Error {
  override readonly name = 'EgressProxyError';
  readonly code = 'ERR_EGRESS_PROXY';
}

/** The answer came and is not read any further. */
export class UnreadableAnswerError extends Error {
  override readonly name = 'UnreadableAnswerError';
  readonly code = 'ERR_UNREADABLE_ANSWER';

  constructor(
    readonly reason: 'too_large' | 'encoding',
    message: string,
  ) {
    super(message);
  }
}

/** The time for the whole exchange is up, in whatever phase it was. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
  readonly code = 'ERR_DEADLINE';
}
