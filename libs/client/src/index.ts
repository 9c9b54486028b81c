export { createClient, type Client } from './client.js';
export { NoAnswerError, NotSettledError, RefusedError, RouterError, type NoAnswerReason } from './errors.js';
export type { components, operations, paths } from './generated/public-api.js';
export type { Answered, ParseAs, Schema } from './methods.js';
export type { ClientOptions, RequestSettings, RetryLimits } from './options.js';
