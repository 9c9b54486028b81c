import { Module } from '@nestjs/common';
import { ClosedAccountsConsumer } from './closed-accounts/closed-accounts.consumer.js';
import { ErasuresConsumer } from './erasure/erasures.consumer.js';
import { ToolCopiesConsumer } from './tool-copies/tool-copies.consumer.js';

/** Every event handler of execution. The running service and the command that replays parked events have the same. */
@Module({ controllers: [ClosedAccountsConsumer, ErasuresConsumer, ToolCopiesConsumer] })
export class ExecutionConsumersModule {}
