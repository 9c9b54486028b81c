import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { EvidenceConsumersModule } from './evidence-consumers.module.js';
import { EvidenceCopiesModule } from './evidence-copies.module.js';
import { Evidence } from './evidence.js';

@Module({ providers: [Evidence], exports: [Evidence] })
export class EvidenceModule {
  /** `searchIndex` exports `CatalogueCopy` and `FEEDBACK_VOCABULARY`. */
  static with(searchIndex: DynamicModule): DynamicModule {
    return {
      module: EvidenceModule,
      imports: [searchIndex, EvidenceCopiesModule, EvidenceConsumersModule.with(searchIndex)],
    };
  }
}
