import { Initial1763700000001 } from './0001-initial.js';
import { AccountErasure1763700000002 } from './0002-account-erasure.js';
import { AccountRegion1763700000003 } from './0003-account-region.js';
import { KeyBudgets1763700000004 } from './0004-key-budgets.js';
import { NarrowedKeys1763700000005 } from './0005-narrowed-keys.js';
import { GatewayReplicas1763700000006 } from './0006-gateway-replicas.js';
import { AccountStates1763700000007 } from './0007-account-states.js';
import { AgentClaims1763700000010 } from './0010-agent-claims.js';
import { OAuth1763700000013 } from './0013-oauth.js';
import { KeyUse1763700000014 } from './0014-key-use.js';
import { AccountLists1763700000015 } from './0015-account-lists.js';
import { RefreshFamilies1763700000016 } from './0016-refresh-families.js';
import { RateLimitPlans1763700000017 } from './0017-rate-limit-plans.js';
import { DeviceCodes1763700000018 } from './0018-device-codes.js';
import { Projects1763700000019 } from './0019-projects.js';
import { SecurityLog1763700000020 } from './0020-security-log.js';
import { Delegations1763700000021 } from './0021-delegations.js';
import { ConsentUses1763700000022 } from './0022-consent-uses.js';
import { ExternalSubjects1763700000023 } from './0023-external-subjects.js';
import { SecurityLogTopic1763700000025 } from './0025-security-log-topic.js';
import { SubjectLinks1763700000026 } from './0026-subject-links.js';
import { ResourcePaths1763700000027 } from './0027-resource-paths.js';

/** In the order in which they run. */
export const migrations = [
  Initial1763700000001,
  AccountErasure1763700000002,
  AccountRegion1763700000003,
  KeyBudgets1763700000004,
  NarrowedKeys1763700000005,
  GatewayReplicas1763700000006,
  AccountStates1763700000007,
  AgentClaims1763700000010,
  OAuth1763700000013,
  KeyUse1763700000014,
  AccountLists1763700000015,
  RefreshFamilies1763700000016,
  RateLimitPlans1763700000017,
  DeviceCodes1763700000018,
  Projects1763700000019,
  SecurityLog1763700000020,
  Delegations1763700000021,
  ConsentUses1763700000022,
  ExternalSubjects1763700000023,
  SecurityLogTopic1763700000025,
  SubjectLinks1763700000026,
  ResourcePaths1763700000027,
];

/** The application role can add to these and change nothing in them. */
export const appendOnlyTables: readonly string[] = ['events', 'security_log'];
