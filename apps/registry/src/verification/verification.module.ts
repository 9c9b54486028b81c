import { ParameterValidator } from '@capability-router/tool-calls';
import { Module, type DynamicModule } from '@nestjs/common';
import { HostProofs } from './host-proofs.js';
import { TrialCalls } from './trial-calls.js';
import { VerificationAdminController } from './verification-admin.controller.js';
import { VerificationCopiesModule } from './verification-copies.module.js';
import { VerificationTask } from './verification.task.js';
import { VerifyTool } from './verify-tool.js';

@Module({
  imports: [VerificationCopiesModule],
  providers: [VerificationTask, VerifyTool, TrialCalls, HostProofs, ParameterValidator],
  controllers: [VerificationAdminController],
  exports: [VerificationCopiesModule],
})
export class VerificationModule {
  /** `liveCatalogue` exports `CatalogueCopy`. */
  static with(liveCatalogue: DynamicModule): DynamicModule {
    return { module: VerificationModule, imports: [liveCatalogue] };
  }
}
