import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { CAPABILITY_ROUTING } from './context.js';
import type { CapabilityRoutingContext } from './context.js';
import { DeclaredCapabilitiesConsumer } from './declared/declared-capabilities.consumer.js';
import { CapabilityDetailController } from './detail/capability-detail.controller.js';
import { CapabilityQueryController } from './query/capability-query.controller.js';

@Module({})
export class CapabilityRoutingModule {
  static with(context: CapabilityRoutingContext): DynamicModule {
    return {
      module: CapabilityRoutingModule,
      providers: [{ provide: CAPABILITY_ROUTING, useValue: context }],
      controllers: [CapabilityDetailController, CapabilityQueryController, DeclaredCapabilitiesConsumer],
    };
  }
}
