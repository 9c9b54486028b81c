import { ParameterValidator } from '@capability-router/tool-calls';
import { Module } from '@nestjs/common';
import { EvidenceModule } from '../evidence/evidence.module.js';
import { ExpressionsModule } from '../expressions/expressions.module.js';
import { ResolutionModule } from '../resolution/resolution.module.js';
import { ToolCopiesModule } from '../tool-copies/tool-copies.module.js';
import { VerificationsModule } from '../verifications/verifications.module.js';
import { AnswerQuery } from './answer-query.js';
import { CapabilityQueryController } from './capability-query.controller.js';
import { PlansClient } from './plans-client.js';

/** Compiled schemas of capabilities kept in memory, about 40 kB each. */
const MAX_COMPILED_SCHEMAS = 1_000;

@Module({
  imports: [EvidenceModule, VerificationsModule, ResolutionModule, ToolCopiesModule, ExpressionsModule],
  providers: [
    AnswerQuery,
    PlansClient,
    { provide: ParameterValidator, useFactory: () => new ParameterValidator(MAX_COMPILED_SCHEMAS) },
  ],
  controllers: [CapabilityQueryController],
})
export class QueryModule {}
