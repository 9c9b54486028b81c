import { Module } from '@nestjs/common';
import { ErasuresConsumer } from './erasure/erasures.consumer.js';
import { AccountsConsumer } from './grants/accounts.consumer.js';
import { SettlementLag } from './settlement/settlement-lag.js';
import { SettlementConsumer } from './settlement/settlement.consumer.js';
import { UsageAuditConsumer } from './usage-audit/usage-audit.consumer.js';

/** Every event handler of billing. The running service and the command that replays parked events have the same. */
@Module({
  controllers: [AccountsConsumer, SettlementConsumer, UsageAuditConsumer, ErasuresConsumer],
  providers: [SettlementLag],
  exports: [SettlementLag],
})
export class BillingConsumersModule {}
