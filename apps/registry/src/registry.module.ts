import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { REGISTRY } from './context.js';
import type { RegistryContext } from './context.js';
import { SemanticSearch } from './embedding/semantic-search.js';
import { Evidence } from './evidence/evidence.js';
import { InspectController } from './inspect/inspect.controller.js';
import { PayloadLookupController } from './payloads/payload-lookup.controller.js';
import { ProbeController } from './probe/probe.controller.js';
import { SearchEndStatesController } from './search-price/end-states.controller.js';
import { ProvidersController } from './providers/providers.controller.js';
import { RetentionSweepTask } from './retention/retention-sweep.task.js';
import { SearchController } from './search/search.controller.js';

@Module({})
export class RegistryModule {
  static with(context: RegistryContext, ...imports: DynamicModule[]): DynamicModule {
    return {
      module: RegistryModule,
      imports,
      providers: [
        { provide: REGISTRY, useValue: context },
        { provide: Evidence, useValue: context.evidence },
        { provide: SemanticSearch, useValue: context.searcher },
        RetentionSweepTask,
      ],
      controllers: [
        SearchController,
        InspectController,
        ProbeController,
        ProvidersController,
        PayloadLookupController,
        SearchEndStatesController,
      ],
    };
  }
}
