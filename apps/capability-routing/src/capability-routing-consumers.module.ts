import { Module } from '@nestjs/common';
import { DeclaredCapabilitiesConsumer } from './declared/declared-capabilities.consumer.js';
import { EvidenceConsumer } from './evidence/evidence.consumer.js';
import { ToolCopiesConsumer } from './tool-copies/tool-copies.consumer.js';
import { VerificationsConsumer } from './verifications/verifications.consumer.js';

/** Every event handler of capability routing. The running service and the command that replays parked events have the same. */
@Module({ controllers: [DeclaredCapabilitiesConsumer, ToolCopiesConsumer, EvidenceConsumer, VerificationsConsumer] })
export class CapabilityRoutingConsumersModule {}
