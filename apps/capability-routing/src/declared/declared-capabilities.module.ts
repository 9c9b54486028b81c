import { Module } from '@nestjs/common';
import { DeclaredCapabilitiesConsumer } from './declared-capabilities.consumer.js';

@Module({ controllers: [DeclaredCapabilitiesConsumer] })
export class DeclaredCapabilitiesModule {}
