import { CLOCK, CONFIG, HoldClient, HoldReleases, LOGGER } from '@capability-router/service-kit';
import { ParameterValidator } from '@capability-router/tool-calls';
import { Module } from '@nestjs/common';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { CacheMetrics } from '../provider-cache/cache-metrics.js';
import { OpenResultCache } from '../provider-cache/open-result-cache.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { ResultShapingModule } from '../result-shaping/result-shaping.module.js';
import { ToolCopiesModule } from '../tool-copies/tool-copies.module.js';
import { Admission } from './admission/admit-call.js';
import { PlanAdmission } from './admission/admit-plan.js';
import { AvailableCredits } from './admission/available-credits.js';
import { Hedges } from './admission/hedges.js';
import { PlannedTools } from './admission/planned-tools.js';
import { SignInCheck } from './admission/sign-in-check.js';
import { FinishCall } from './answer/finish-call.js';
import { AttemptDispatch } from './dispatch/attempt-dispatch.js';
import { ExecuteTool } from './execute-tool.js';
import { BeginExecution } from './hold/begin-execution.js';
import { EndRecorder } from './hold/end-recorder.js';
import { ExecutionHolds } from './hold/execution-holds.js';
import { ExecutionJournal } from './journal/execution-journal.js';
import { ExecutionMetrics } from './journal/execution-metrics.js';
import { OwnerLease } from './journal/owner-lease.js';
import { UncertainStarts } from './journal/uncertain-starts.js';
import { AttemptOutcome } from './outcome/attempt-outcome.js';
import { RunAttempts } from './run-attempts.js';

@Module({
  imports: [ToolCopiesModule, CredentialsModule, ProvidersModule, ResultShapingModule],
  providers: [
    ExecuteTool,
    ParameterValidator,
    SignInCheck,
    Hedges,
    PlannedTools,
    AvailableCredits,
    Admission,
    PlanAdmission,
    ExecutionMetrics,
    ExecutionJournal,
    OwnerLease,
    UncertainStarts,
    HoldClient,
    HoldReleases,
    ExecutionHolds,
    EndRecorder,
    BeginExecution,
    { provide: OpenResultCache, inject: [CONFIG, CLOCK, LOGGER], useFactory: OpenResultCache.open },
    CacheMetrics,
    AttemptDispatch,
    AttemptOutcome,
    RunAttempts,
    FinishCall,
  ],
  exports: [ExecuteTool, ExecutionJournal, HoldReleases, OwnerLease],
})
export class CallModule {}
