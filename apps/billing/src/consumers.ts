import { ErasuresConsumer } from './erasure/erasures.consumer.js';
import { AccountsConsumer } from './grants/accounts.consumer.js';
import { SettlementConsumer } from './settlement/settlement.consumer.js';
import { UsageAuditConsumer } from './usage-audit/usage-audit.consumer.js';

/** Every event handler of billing. The running service and the command that replays parked events have the same. */
export const billingConsumers = [AccountsConsumer, SettlementConsumer, UsageAuditConsumer, ErasuresConsumer];
