import { Module } from '@nestjs/common';
import { ProvidersModule } from '../providers/providers.module.js';
import { ResultShaper } from './result-shaper.js';
import { ResultsController } from './serving/results.controller.js';
import { ConfiguredStore } from './store/configured-store.js';
import { KeptResults } from './store/kept-results.js';
import { SweepResultsTask } from './store/sweep-results.task.js';

@Module({
  imports: [ProvidersModule],
  controllers: [ResultsController],
  providers: [ConfiguredStore, KeptResults, ResultShaper, SweepResultsTask],
  exports: [KeptResults, ResultShaper],
})
export class ResultShapingModule {}
