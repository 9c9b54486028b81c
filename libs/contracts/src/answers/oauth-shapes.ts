/** Answers of the endpoints of OAuth, by the specifications that name their members. */
import { accountId, clientId } from './common-shapes.js';
import { errorExtras } from './execution-shapes.js';
import { either, filledText, integer, listOf, number, oneOf, record, uuid, type Check } from './shapes.js';

/** RFC 6749 §5.2, which names the first two, with the codes of that endpoint. */
const refusal = (...codes: readonly string[]): Check =>
  record({ error: oneOf(...codes), error_description: filledText }, { trace_id: errorExtras.trace_id });

const ofClients = ['invalid_request', 'invalid_client'] as const;
/** Beside those of RFC 6749, those of RFC 8628 §3.5 and RFC 8707 §2. */
export const tokenRefusal = refusal(
  ...ofClients,
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'invalid_target',
  'authorization_pending',
  'slow_down',
  'access_denied',
  'expired_token',
);
export const deviceRefusal = refusal(...ofClients, 'unauthorized_client', 'invalid_scope', 'invalid_target');
export const tokenStatusRefusal = refusal(...ofClients);

/** The bounds that a delegation token is held to, as the exchange named them. */
const constraints = record(
  {},
  {
    model: filledText,
    run_id: filledText,
    max_credits: number,
    tool_ids: listOf(filledText),
    provider_ids: listOf(filledText),
  },
);

const tokenFields = {
  access_token: filledText,
  token_type: oneOf('Bearer'),
  /** Seconds. */
  expires_in: integer,
  /** Separated by spaces. */
  scope: filledText,
};
/** RFC 6749 §5.1. */
export const grantedToken = record(tokenFields, { refresh_token: filledText });
/** RFC 8693 §2.2.1: there is never a refresh token. */
export const exchangedToken = record({
  ...tokenFields,
  issued_token_type: oneOf('urn:ietf:params:oauth:token-type:access_token'),
  constraints,
});

/** RFC 8628 §3.2. */
export const deviceAuthorization = record({
  device_code: filledText,
  user_code: filledText,
  verification_uri: filledText,
  verification_uri_complete: filledText,
  expires_in: integer,
  interval: integer,
});

const tokenFacts = {
  active: oneOf(true),
  client_id: clientId,
  sub: accountId,
  scope: filledText,
  aud: filledText,
  iss: filledText,
  /** Seconds since the epoch, both. */
  iat: integer,
  exp: integer,
};
/** RFC 7662 §2.2: a token that the client may not know about is one that is none. */
export const introspection = either(
  record({ active: oneOf(false) }),
  // A refresh token.
  record(tokenFacts),
  record({ ...tokenFacts, jti: uuid, token_type: oneOf('Bearer') }, { constraints }),
);

/** RFC 7009 §2.2: nothing is told. */
export const revocation = record({});

/** RFC 7517: public keys of RSA. */
export const keySet = record({
  keys: listOf(
    record({
      kty: oneOf('RSA'),
      n: filledText,
      e: filledText,
      kid: filledText,
      alg: oneOf('RS256'),
      use: oneOf('sig'),
    }),
  ),
});
