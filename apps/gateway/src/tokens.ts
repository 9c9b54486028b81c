// Every slice of the gateway may be given these beside the parts of every service; what a slice makes itself is injected by its class.

/** `ServiceClients`, for every service that the gateway forwards to. */
export const CLIENTS = Symbol('CLIENTS');
/** `InternalTokens`, which sign what services believe of an account. */
export const TOKENS = Symbol('TOKENS');
/** `RateLimiter`: in Redis where the deployment has one, else in this process. */
export const RATE_LIMITER = Symbol('rate limiter');
/** `SteadyMs`. */
export const STEADY_MS = Symbol('milliseconds of a clock that never steps');
/** The challenge to a request without a valid credential, for the header `WWW-Authenticate`. */
export const CHALLENGE = Symbol('challenge');
/** Origin under which callers reach the gateway. */
export const PUBLIC_URL = Symbol('public URL');
