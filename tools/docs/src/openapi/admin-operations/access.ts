/** Programs, external issuers, signing keys and the security log. */
import {
  ExternalSubjectsQuery,
  LinkSubjectRequest,
  ListClientsQuery,
  RegisterClientRequest,
  SecurityLogQuery,
  VerificationQuery,
} from '@capability-router/identity/requests';
import type { Operations } from '../operations/operation.js';

export const access: Operations = {
  'GET /oauth-clients': {
    id: 'listOAuthClients',
    tag: 'Programs',
    summary: 'The registered programs of an account.',
    answer: 'OAuthClientsAnswer',
    query: ListClientsQuery,
  },
  'POST /oauth-clients': {
    id: 'registerOAuthClient',
    tag: 'Programs',
    summary: 'Registers a program, whose secret is answered this once.',
    answer: 'OAuthClientAnswer',
    success: 201,
    body: RegisterClientRequest,
    closed: true,
    statuses: [404, 409],
  },
  'DELETE /oauth-clients/{clientId}': {
    id: 'revokeOAuthClient',
    tag: 'Programs',
    summary: 'Takes a program and its tokens away on every gateway.',
    answer: 'RevokedClientAnswer',
  },
  'GET /external-subjects': {
    id: 'listExternalSubjects',
    tag: 'Programs',
    summary: 'The subjects of external issuers that act for an account, or the link of one subject.',
    answer: 'ExternalSubjectsAnswer',
    query: ExternalSubjectsQuery,
  },
  'POST /external-subjects': {
    id: 'linkExternalSubject',
    tag: 'Programs',
    summary: 'Lets a subject of an external issuer act for an account.',
    answer: 'LinkedSubjectAnswer',
    success: 201,
    body: LinkSubjectRequest,
    closed: true,
    statuses: [404, 409],
  },
  'DELETE /external-subjects/{externalSubjectId}': {
    id: 'unlinkExternalSubject',
    tag: 'Programs',
    summary: 'Ends such a link on every gateway.',
    answer: 'UnlinkedSubjectAnswer',
  },
  'POST /oauth-signing-keys:rotate': {
    id: 'rotateSigningKey',
    tag: 'Programs',
    summary: 'Makes a successor of the key that signs access tokens.',
    answer: 'RotatedSigningKeyAnswer',
  },
  'GET /security-log': {
    id: 'listAllSecurityLog',
    tag: 'Security log',
    summary: 'Who did what, newest first.',
    answer: 'AdminSecurityLogAnswer',
    query: SecurityLogQuery,
  },
  'GET /security-log/verification': {
    id: 'verifySecurityLog',
    tag: 'Security log',
    summary: 'Follows the chains of the log and tells where one is broken.',
    answer: 'SecurityLogVerificationAnswer',
    query: VerificationQuery,
  },
};
