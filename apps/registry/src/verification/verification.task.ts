import type { ToolContract } from '@capability-router/contracts';
import type { Clock } from '@capability-router/kernel';
import { CLOCK, CONFIG, LOGGER, Periodic, type ServiceRuntime } from '@capability-router/service-kit';
import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { CatalogueCopy } from '../search-index/catalogue-copy.js';
import type { KnownTool } from '../search-index/known-tool.js';
import { dueTools } from './domain/due-tools.js';
import type { VerificationConfig } from './verification-config.js';
import { VerificationCopy } from './verification-copy.js';
import { VerifyTool } from './verify-tool.js';

/** Milliseconds; also from a run to the copy of every replica. */
const ROUND_INTERVAL_MS = 2_000;
/** Milliseconds after the start of a replica in which it runs nothing that nobody asked for. */
const QUIET_START_MS = 30_000;
/** Milliseconds for which a stop waits for the runs that are under way; others find their tools again when the claim lapses. */
const MAX_STOP_MS = 500;

@Injectable()
export class VerificationTask implements BeforeApplicationShutdown {
  private readonly startedMs: number;
  private readonly running = new Map<string, Promise<void>>();
  private round: Promise<void> = Promise.resolve();
  /** Tools that somebody asked for wait for a run to end. */
  private isAskedForMore = false;
  private isStopping = false;

  constructor(
    @Inject(CatalogueCopy) private readonly catalogue: CatalogueCopy,
    @Inject(VerificationCopy) private readonly copy: VerificationCopy,
    @Inject(VerifyTool) private readonly verify: VerifyTool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: VerificationConfig,
    @Inject(LOGGER) private readonly logger: ServiceRuntime['logger'],
  ) {
    this.startedMs = clock.nowMs();
  }

  /**
   * Begins with as many tools as there is room for, one round after another. A round does not wait for its runs: a provider may
   * take its time.
   */
  @Periodic({ name: 'verification of tools', everyMs: ROUND_INTERVAL_MS })
  begin(): Promise<void> {
    const round = this.round.then(() => this.beginRuns());
    this.round = round.catch(() => undefined);
    return round;
  }

  private async beginRuns(): Promise<void> {
    await this.copy.refresh();
    const { intervalMs, maxConcurrent } = this.config.verification;
    const nowMs = this.clock.nowMs();
    const room = Math.max(0, maxConcurrent - this.running.size);
    const isQuiet = nowMs - this.startedMs < QUIET_START_MS;
    const known = this.copy.of.bind(this.copy);
    const policy = { intervalMs: isQuiet ? 0 : intervalMs, nowMs, limit: room, random: Math.random };
    const due = dueTools(this.candidates(policy.intervalMs > 0), known, policy);
    const begun = due.slice(0, room).map(({ toolId }) => toolId);
    for (const tool of (await this.catalogue.find(begun)).values()) this.start(tool);
    this.isAskedForMore = due.slice(room).some(({ toolId }) => known(toolId)?.requested === true);
  }

  /** The tools that can be due, each once: of a large catalogue few, and the others are not looked at in every round. */
  private *candidates(isScheduled: boolean): Generator<KnownTool> {
    if (isScheduled) yield* this.catalogue.withExamples();
    for (const toolId of this.copy.owed()) {
      const tool = this.catalogue.known(toolId);
      if (tool !== undefined && !(isScheduled && tool.runsExamples)) yield tool;
    }
  }

  /** Resolves when every run that was begun has ended. */
  async settled(): Promise<void> {
    await Promise.all(this.running.values());
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    let timer: NodeJS.Timeout | undefined;
    const enough = new Promise<void>((resolve) => (timer = setTimeout(resolve, MAX_STOP_MS)));
    await Promise.race([this.settled(), enough]);
    clearTimeout(timer);
  }

  /** Tools that are due by time alone wait for the next round: there may be thousands, and nobody waits for them. */
  private goOn(toolId: string): void {
    this.running.delete(toolId);
    if (!this.isAskedForMore || this.isStopping) return;
    this.begin().catch((err: unknown) => {
      this.logger.warn({ err }, 'a requested tool waits for the next round');
    });
  }

  private start(tool: ToolContract): void {
    const { toolId } = tool;
    const run = this.verify
      .run(tool)
      .then(
        () => this.goOn(toolId),
        (err: unknown) => {
          if (!this.isStopping) this.logger.error({ err, toolId }, 'a tool could not be verified');
        },
      )
      .finally(() => this.running.delete(toolId));
    this.running.set(toolId, run);
  }
}
