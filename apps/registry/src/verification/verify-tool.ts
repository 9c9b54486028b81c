import { randomUUID } from 'node:crypto';
import { topicNames, type ToolContract, type ToolVerificationRecorded } from '@capability-router/contracts';
import { appendToStream } from '@capability-router/event-store';
import type { Clock } from '@capability-router/kernel';
import { CLOCK, COMMITTED, CONFIG, inTransaction, POOL } from '@capability-router/service-kit';
import { ParameterValidator } from '@capability-router/tool-calls';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { originsToProve } from './domain/check-identity.js';
import { exampleFaults } from './check-schema.js';
import { examplesOf, type ObservedCall } from './domain/finding.js';
import { judgeTool, type Judgement } from './judge-tool.js';
import { isPassed, nextRunAfter, retryAfterNothing, untilTomorrow } from './domain/next-run.js';
import { requiredChecks } from './domain/required-checks.js';
import { HostProofs } from './host-proofs.js';
import { TrialCalls, type TrialOutcome } from './trial-calls.js';
import type { VerificationConfig } from './verification-config.js';
import { claimVerification, endVerification, type EndedRun } from './verification.sql.js';

/** Milliseconds between runs of a tool that is verified only where it is asked for. */
const WITHOUT_SCHEDULE_MS = 86_400_000;
/** Characters. */
const MAX_PROBLEM_LENGTH = 500;

type Nothing = Extract<TrialOutcome, { nothing: string }>;

interface Calls {
  readonly calls: readonly ObservedCall[];
  readonly withoutCredential?: ObservedCall;
  /** No example could be run. */
  readonly nothing?: Nothing;
}

/** One run: examples, judgement, and the record with its event in one transaction. */
@Injectable()
export class VerifyTool {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(COMMITTED) private readonly committed: () => void,
    @Inject(CONFIG) private readonly config: VerificationConfig,
    @Inject(ParameterValidator) private readonly validator: ParameterValidator,
    @Inject(TrialCalls) private readonly trials: TrialCalls,
    @Inject(HostProofs) private readonly proofs: HostProofs,
  ) {}

  /** False where another replica is at the tool, or it is not due any more. */
  async run(tool: ToolContract): Promise<boolean> {
    const { toolId, version } = tool;
    const claim = { toolId, claimId: randomUUID() };
    const claimed = await claimVerification(this.pool, { ...claim, toolVersion: version });
    if (claimed === undefined) return false;
    const faults = exampleFaults(tool, this.validator);
    const ran = await this.calls(tool, faults.length > 0);
    const { nothing } = ran;
    if (nothing !== undefined && nothing.because !== 'credential') {
      await this.end({ ...claim, failures: claimed.failures, ...this.againAfter(nothing) });
      return true;
    }
    const before = claimed.observed?.version === version ? { observedBefore: claimed.observed.schema } : {};
    const judged = judgeTool(tool, {
      exampleFaults: faults,
      proofs: await this.proofs.ask(tool.provider, originsToProve(tool)),
      ...ran,
      ...(nothing === undefined ? {} : { whyNoCalls: nothing.nothing }),
      ...before,
      nowMs: this.clock.nowMs(),
    });
    await this.end({ ...claim, ...this.recordOf(tool, judged, claimed.failures) });
    return true;
  }

  /** All examples, and the first once more without the credential where the tool shows one. */
  private async calls(tool: ToolContract, faulty: boolean): Promise<Calls> {
    // An example that does not fit is refused before it is run.
    if (faulty) return { calls: [] };
    const calls: ObservedCall[] = [];
    for (const [example, { parameters }] of examplesOf(tool).entries()) {
      const outcome = await this.trials.run(tool, { example, parameters: { ...parameters } });
      if ('nothing' in outcome) {
        if (calls.length === 0) return { calls, nothing: outcome };
        break;
      }
      calls.push(outcome.observed);
    }
    const answered = calls.find(({ success }) => success);
    if (answered === undefined || !requiredChecks(tool).includes('authentication')) return { calls };
    const { parameters = {} } = examplesOf(tool)[answered.example] ?? {};
    const example = { example: answered.example, parameters: { ...parameters } };
    const without = await this.trials.run(tool, example, { withoutCredential: true });
    return 'observed' in without ? { calls, withoutCredential: without.observed } : { calls };
  }

  private againAfter({ nothing, because }: Nothing): Pick<EndedRun, 'nextAfterMs' | 'problem'> {
    const nextAfterMs =
      because === 'budget' ? untilTomorrow(this.clock.nowMs(), Math.random()) : retryAfterNothing(Math.random());
    return { nextAfterMs, problem: nothing.slice(0, MAX_PROBLEM_LENGTH) };
  }

  private recordOf(tool: ToolContract, judged: Judgement, failuresBefore: number) {
    const { verification, evidence, observed } = judged;
    const failures = isPassed(verification) ? 0 : failuresBefore + 1;
    const intervalMs = this.config.verification.intervalMs || WITHOUT_SCHEDULE_MS;
    return {
      failures,
      nextAfterMs: nextRunAfter(failures, intervalMs, Math.random()),
      verdict: verification,
      evidence,
      ...(observed === undefined ? {} : { observed: { version: tool.version, schema: observed } }),
    };
  }

  private async end(run: EndedRun): Promise<void> {
    const { toolId, verdict } = run;
    await inTransaction(this.pool, async (tx) => {
      if (!(await endVerification(tx, run)) || verdict === undefined) return;
      const data: ToolVerificationRecorded = { toolId, ...verdict };
      const event = { type: 'ToolVerificationRecorded', topic: topicNames.verifications, partitionKey: toolId, data };
      await appendToStream(tx, 'registry', `verification:${toolId}`, 'any', [event]);
    });
    this.committed();
  }
}
