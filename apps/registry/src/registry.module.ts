import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { REGISTRY } from './context.js';
import type { RegistryContext } from './context.js';
import { InspectController } from './inspect/inspect.controller.js';
import { PayloadLookupController } from './payloads/payload-lookup.controller.js';
import { SearchController } from './search/search.controller.js';

@Module({})
export class RegistryModule {
  static with(context: RegistryContext): DynamicModule {
    return {
      module: RegistryModule,
      providers: [{ provide: REGISTRY, useValue: context }],
      controllers: [SearchController, InspectController, PayloadLookupController],
    };
  }
}
