/** Answers to administrators about accounts, their keys, clients, plans and the security log. */
import { issuedApiKey, movedKey, project, projectList, revokedApiKey, securityLogPage } from './audit-shapes.js';
import { accountId, clientId, envelope } from './common-shapes.js';
import { consentPage, endedConsent } from './consent-shapes.js';
import {
  boolean,
  filledText,
  integer,
  listOf,
  matching,
  nullable,
  number,
  oneOf,
  record,
  text,
  timestamp,
  uuid,
  within,
} from './shapes.js';

const scopes = listOf(oneOf('call', 'read', 'manage', 'admin'));
const kind = oneOf('trial', 'formal');
const state = oneOf('active', 'suspended', 'payment_required', 'closed');
/** Not every replica of the gateway acts by it yet. */
export const pending = { pending: oneOf(true) };
const place = { email: filledText, region: matching(/^[A-Z]{2}$/) };
const budgets = {
  budget: record({ amount_credits: number, period: oneOf('day', 'month', 'total') }),
  session_budget: record({ amount_credits: number }),
};

const openedAccount = record(
  { account_id: accountId, kind, name: text, initial_credits: within(0, 9e9), created_at: timestamp },
  { ...place, credits_ready: oneOf(false) },
);
const accountPage = record(
  {
    items: listOf(
      record(
        { account_id: accountId, kind, state, name: text, created_at: timestamp },
        { ...place, balance_credits: within(0, 9e9), held_credits: within(0, 9e9) },
      ),
    ),
  },
  { next_cursor: filledText },
);
const accountState = record({ account_id: accountId, state, changed: boolean }, pending);
const accountRegion = record({ account_id: accountId, region: nullable(place.region) }, pending);
const erasedAccount = record({ account_id: accountId, erased_at: timestamp }, pending);

const keyFacts = { api_key_id: uuid, name: filledText, masked_value: filledText, scopes, created_at: timestamp };
const accountKeys = record(
  {
    items: listOf(
      record(keyFacts, {
        ...budgets,
        project_id: uuid,
        expires_at: timestamp,
        revoked_at: timestamp,
        last_used_at: timestamp,
      }),
    ),
    has_more: boolean,
  },
  { next_before: uuid },
);
const narrowedKeys = record(
  { items: listOf(record({ ...keyFacts, account_id: accountId, lost_scopes: scopes })) },
  { next_after: uuid },
);
const keyBudgets = record({ api_key_id: uuid, account_id: accountId }, { ...budgets, ...pending });
const keyScopes = record({ api_key_id: uuid, account_id: accountId, scopes }, pending);

const clientFacts = {
  client_id: clientId,
  account_id: accountId,
  name: filledText,
  scopes,
  token_endpoint_auth_method: oneOf('none', 'client_secret_basic'),
  grant_types: listOf(filledText),
  created_at: timestamp,
};
const client = record(clientFacts, { client_secret: filledText });
const clients = record({ items: listOf(record(clientFacts, { revoked_at: timestamp })) });
const revokedClient = record({ client_id: clientId, account_id: accountId, revoked_at: timestamp }, pending);

const subjectFacts = { external_subject_id: uuid, account_id: accountId, iss: filledText, linked_at: timestamp };
const subjectExtras = { issuer: filledText, subject: filledText };
const linkedSubject = record(subjectFacts, { ...subjectExtras, ...pending });
const subjects = record({ items: listOf(record(subjectFacts, subjectExtras)) });
const unlinkedSubject = record({ external_subject_id: uuid, account_id: accountId, removed_at: timestamp }, pending);

const perMinute = nullable(within(1, 1e9));
const planFacts = {
  name: filledText,
  is_default: boolean,
  per_minute: record({
    discover: perMinute,
    inspect: perMinute,
    probe: perMinute,
    call: perMinute,
    read: perMinute,
  }),
};
const plan = record(planFacts, { changed_at: timestamp, ...pending });
const plans = record({ items: listOf(record(planFacts, { changed_at: timestamp })) });
const removedPlan = record({ name: filledText, removed: oneOf(true) });
const accountPlan = record({ account_id: accountId, plan: filledText, assigned: boolean }, pending);

const logVerification = record(
  {
    sound: boolean,
    entries: integer,
    findings: listOf(record({ kind: filledText, chain: filledText, entry_seq: integer, entry_id: nullable(uuid) })),
  },
  { next_cursor: filledText },
);
const rotatedSigningKey = record({ key_id: filledText, signs_from: timestamp });

export const adminAccountShapes = {
  AdminAccountAnswer: envelope(openedAccount),
  AdminAccountsAnswer: envelope(accountPage),
  AccountStateAnswer: envelope(accountState),
  AccountRegionAnswer: envelope(accountRegion),
  ErasedAccountAnswer: envelope(erasedAccount),
  AccountKeysAnswer: envelope(accountKeys),
  NarrowedKeysAnswer: envelope(narrowedKeys),
  KeyBudgetsAnswer: envelope(keyBudgets),
  KeyScopesAnswer: envelope(keyScopes),
  AdminIssuedKeyAnswer: envelope(issuedApiKey),
  AdminRevokedKeyAnswer: envelope(revokedApiKey),
  AdminConsentsAnswer: envelope(consentPage),
  AdminEndedConsentAnswer: envelope(endedConsent),
  AdminProjectAnswer: envelope(project),
  AdminProjectsAnswer: envelope(projectList),
  AdminMovedKeyAnswer: envelope(movedKey),
  OAuthClientAnswer: envelope(client),
  OAuthClientsAnswer: envelope(clients),
  RevokedClientAnswer: envelope(revokedClient),
  LinkedSubjectAnswer: envelope(linkedSubject),
  ExternalSubjectsAnswer: envelope(subjects),
  UnlinkedSubjectAnswer: envelope(unlinkedSubject),
  RateLimitPlanAnswer: envelope(plan),
  RateLimitPlansAnswer: envelope(plans),
  RemovedPlanAnswer: envelope(removedPlan),
  AccountPlanAnswer: envelope(accountPlan),
  AdminSecurityLogAnswer: envelope(securityLogPage),
  SecurityLogVerificationAnswer: envelope(logVerification),
  RotatedSigningKeyAnswer: envelope(rotatedSigningKey),
};
