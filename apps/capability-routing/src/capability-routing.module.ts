import type { CapabilityManifest } from '@capability-router/contracts';
import type { ServiceClient } from '@capability-router/service-kit';
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { AdminModule } from './admin/admin.module.js';
import { CapabilityRoutingStart } from './capability-routing-start.js';
import { CapabilityRoutingConsumersModule } from './capability-routing-consumers.module.js';
import { DetailModule } from './detail/detail.module.js';
import { EvidenceModule } from './evidence/evidence.module.js';
import { ListModule } from './list/list.module.js';
import { QueryModule } from './query/query.module.js';
import { ResolutionModule } from './resolution/resolution.module.js';
import { CAPABILITIES, EXECUTION } from './tokens.js';
import { ToolCopiesModule } from './tool-copies/tool-copies.module.js';
import { VerificationsModule } from './verifications/verifications.module.js';
import { VersionsModule } from './versions/versions.module.js';

/** Gives every slice what capability routing was given beside the parts of every service. */
@Global()
@Module({})
class PartsModule {
  static with(execution: ServiceClient): DynamicModule {
    return { module: PartsModule, providers: [{ provide: EXECUTION, useValue: execution }], exports: [EXECUTION] };
  }
}

/** A module for each slice. The parts that they are made of come from `ServicePartsModule`. */
@Module({})
export class CapabilityRoutingModule {
  /** `capabilities`: what this build publishes. */
  static with(capabilities: readonly CapabilityManifest[], execution: ServiceClient): DynamicModule {
    return {
      module: CapabilityRoutingModule,
      imports: [
        PartsModule.with(execution),
        EvidenceModule,
        ToolCopiesModule,
        VerificationsModule,
        ResolutionModule,
        AdminModule,
        DetailModule,
        ListModule,
        VersionsModule,
        QueryModule,
        CapabilityRoutingConsumersModule,
      ],
      providers: [CapabilityRoutingStart, { provide: CAPABILITIES, useValue: capabilities }],
    };
  }
}
