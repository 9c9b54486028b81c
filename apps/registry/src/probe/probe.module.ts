import { ParameterValidator } from '@capability-router/tool-calls';
import { Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '../discovery/discovery.module.js';
import { StandingModule } from '../tool-result/standing.module.js';
import { ProbeController } from './probe.controller.js';

/** Tools that are probed again and again are few; the search index needs the memory more. */
const MAX_COMPILED_SCHEMAS = 200;

@Module({
  imports: [DiscoveryModule, StandingModule],
  providers: [{ provide: ParameterValidator, useFactory: () => new ParameterValidator(MAX_COMPILED_SCHEMAS) }],
  controllers: [ProbeController],
})
export class ProbeModule {
  static with(liveCatalogue: DynamicModule): DynamicModule {
    return { module: ProbeModule, imports: [liveCatalogue] };
  }
}
