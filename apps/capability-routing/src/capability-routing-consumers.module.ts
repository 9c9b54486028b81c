import { Module } from '@nestjs/common';
import { DeclaredCapabilitiesConsumer } from './declared/declared-capabilities.consumer.js';

/** Every event handler of capability routing. The running service and the command that replays parked events have the same. */
@Module({ controllers: [DeclaredCapabilitiesConsumer] })
export class CapabilityRoutingConsumersModule {}
