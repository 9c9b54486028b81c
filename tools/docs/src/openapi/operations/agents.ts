/** How agents get in, and tokens by the protocols of OAuth. */
import {
  RegisterTrialAgentRequest,
  StartClaimRequest,
  VerifyClaimRequest,
  VerifyTokenRequest,
} from '@capability-router/identity/requests';
import { deviceForm, tokenForm, tokenOfClientForm } from '../own-schemas.js';
import type { Operations } from './operation.js';

export const agents: Operations = {
  'POST /agent/anonymous-register': {
    id: 'registerAgent',
    tag: 'Agents',
    summary: 'Gives an agent an account on trial and its first key.',
    answer: 'RegistrationAnswer',
    body: RegisterTrialAgentRequest,
  },
  'POST /agent/claim': {
    id: 'startClaim',
    tag: 'Agents',
    summary: 'Mails a code to whoever claims an account on trial.',
    answer: 'ClaimAnswer',
    body: StartClaimRequest,
  },
  'POST /agent/claim-verify': {
    id: 'verifyClaim',
    tag: 'Agents',
    summary: 'Ends the claim with the code that was mailed.',
    answer: 'ClaimVerifyAnswer',
    body: VerifyClaimRequest,
  },
  'POST /auth/verify-token': {
    id: 'verifyToken',
    tag: 'Agents',
    summary: 'Tells whether a key or token is valid.',
    answer: 'TokenVerificationAnswer',
    body: VerifyTokenRequest,
    bodyOrNull: true,
  },
  'POST /oauth/device/authorize': {
    id: 'authorizeDevice',
    tag: 'OAuth',
    summary: 'Asks for access that a person consents to on another device (RFC 8628).',
    answer: 'DeviceAuthorizationAnswer',
    body: deviceForm,
  },
  'POST /oauth/token': {
    id: 'getToken',
    tag: 'OAuth',
    summary: 'Answers a token for a device code, a refresh token, a client, or another token (RFC 6749, 8693).',
    answer: 'OAuthTokenAnswer',
    body: tokenForm,
  },
  'POST /oauth/introspect': {
    id: 'introspectToken',
    tag: 'OAuth',
    summary: 'Tells a client about one of its tokens (RFC 7662).',
    answer: 'IntrospectionAnswer',
    body: tokenOfClientForm,
  },
  'POST /oauth/revoke': {
    id: 'revokeToken',
    tag: 'OAuth',
    summary: 'Revokes a token of a client (RFC 7009).',
    answer: 'RevocationAnswer',
    body: tokenOfClientForm,
  },
  'GET /oauth/jwks.json': {
    id: 'getKeySet',
    tag: 'OAuth',
    summary: 'The keys by which access tokens are verified.',
    answer: 'KeySetAnswer',
  },
};
