import { Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '../discovery/discovery.module.js';
import { EvidenceCopiesModule } from '../evidence/evidence-copies.module.js';
import { StandingModule } from '../tool-result/standing.module.js';
import { DescribeToolsController } from './describe-tools.controller.js';
import { InspectController } from './inspect.controller.js';

@Module({
  imports: [DiscoveryModule, EvidenceCopiesModule, StandingModule],
  controllers: [InspectController, DescribeToolsController],
})
export class InspectModule {
  static with(liveCatalogue: DynamicModule): DynamicModule {
    return { module: InspectModule, imports: [liveCatalogue] };
  }
}
