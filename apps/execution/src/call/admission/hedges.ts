import { creditsToNumber, type Credits } from '@capability-router/kernel';
import { CONFIG, METRICS } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { Counter, type Registry } from 'prom-client';
import type { ExecutionConfig } from '../../config.js';
import { HedgeAllowance } from './domain/hedge-allowance.js';

/** The end of an attempt that began beside another: it served, the other one did after all, or neither. */
export type HedgeResult = 'won' | 'lost' | 'failed';

/** Attempts that begin beside one that is slow: as many as the deployment pays for, and counted. */
@Injectable()
export class Hedges {
  private readonly allowance: HedgeAllowance;
  private readonly results: Counter<'result'>;
  private readonly forgone: Counter;

  constructor(
    @Inject(CONFIG) { hedgePercent }: Pick<ExecutionConfig, 'hedgePercent'>,
    @Inject(METRICS) registry: Registry,
  ) {
    this.allowance = new HedgeAllowance(hedgePercent / 100);
    const registers = [registry];
    this.results = new Counter({
      name: 'plan_hedges_total',
      help: 'Attempts that began beside a slow one: they won, lost to it after all, or neither served.',
      labelNames: ['result'] as const,
      registers,
    });
    this.forgone = new Counter({
      name: 'plan_hedge_forgone_credits_total',
      help: 'Credits that attempts which were given up would have cost their callers at most; what providers want for them is the deployment’s.',
      registers,
    });
  }

  /** Counts a plan. False where no attempt may begin beside another now, so that nothing need be held for one. */
  admitPlan(): boolean {
    return this.allowance.admitPlan();
  }

  take(): boolean {
    return this.allowance.take();
  }

  /** `forgone`: the bound of the attempt that was given up, if one was. */
  count(result: HedgeResult, forgone: Credits | undefined): void {
    this.results.inc({ result });
    if (forgone !== undefined) this.forgone.inc(creditsToNumber(forgone));
  }
}
