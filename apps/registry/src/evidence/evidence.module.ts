import { Module, type DynamicModule } from '@nestjs/common';
import { EvidenceConsumersModule } from './evidence-consumers.module.js';
import { EvidenceCopiesModule } from './evidence-copies.module.js';
import { Evidence } from './evidence.js';
import { EvidenceTask } from './evidence.task.js';

@Module({ providers: [Evidence, EvidenceTask], exports: [Evidence] })
export class EvidenceModule {
  /** `liveCatalogue` exports `CatalogueCopy` and `FEEDBACK_VOCABULARY`. */
  static with(liveCatalogue: DynamicModule): DynamicModule {
    return {
      module: EvidenceModule,
      imports: [liveCatalogue, EvidenceCopiesModule, EvidenceConsumersModule.with(liveCatalogue)],
    };
  }
}
