import { HoldClient, HoldReleases } from '@capability-router/service-kit';
import { Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '../discovery/discovery.module.js';
import { EvidenceCopiesModule } from '../evidence/evidence-copies.module.js';
import { SearchEndStatesController } from '../search-price/end-states.controller.js';
import { SearchCharge } from '../search-price/search-charge.js';
import { StandingModule } from '../tool-result/standing.module.js';
import { SearchController } from './search.controller.js';

@Module({
  imports: [DiscoveryModule, EvidenceCopiesModule, StandingModule],
  providers: [SearchCharge, HoldClient, HoldReleases],
  controllers: [SearchController, SearchEndStatesController],
})
export class SearchModule {
  static with(liveCatalogue: DynamicModule): DynamicModule {
    return { module: SearchModule, imports: [liveCatalogue] };
  }
}
