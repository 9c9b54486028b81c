import type { CapabilityManifest } from '@capability-router/contracts';
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { AdminModule } from './admin/admin.module.js';
import { CapabilityRoutingStart } from './capability-routing-start.js';
import { CapabilityRoutingConsumersModule } from './capability-routing-consumers.module.js';
import { DetailModule } from './detail/detail.module.js';
import { ListModule } from './list/list.module.js';
import { QueryModule } from './query/query.module.js';
import { CAPABILITIES } from './tokens.js';
import { VersionsModule } from './versions/versions.module.js';

/** A module for each slice. The parts that they are made of come from `ServicePartsModule`. */
@Module({})
export class CapabilityRoutingModule {
  /** `capabilities`: what this build publishes. */
  static with(capabilities: readonly CapabilityManifest[]): DynamicModule {
    return {
      module: CapabilityRoutingModule,
      imports: [AdminModule, DetailModule, ListModule, VersionsModule, QueryModule, CapabilityRoutingConsumersModule],
      providers: [CapabilityRoutingStart, { provide: CAPABILITIES, useValue: capabilities }],
    };
  }
}
