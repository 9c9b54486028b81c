import type { CapabilityManifest } from '@capability-router/contracts';
import type { Clock } from '@capability-router/kernel';
import { CLOCK, COMMITTED, LOGGER, PeriodicTasks, POOL, type ServiceRuntime } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type pg from 'pg';
import { publishCapabilities } from './contracts/publish-capabilities.js';
import { EvidenceCopy } from './evidence/evidence-copy.js';
import { CapabilityIndex } from './resolution/capability-index.js';
import { CAPABILITIES } from './tokens.js';
import { KnownTools } from './tool-copies/known-tools.js';
import { VerificationCopy } from './verifications/verification-copy.js';

/** Starts capability routing: it is ready when all of this is done, in this order. */
@Injectable()
export class CapabilityRoutingStart {
  private published = false;

  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: ServiceRuntime['logger'],
    @Inject(COMMITTED) private readonly committed: () => void,
    @Inject(CAPABILITIES) private readonly capabilities: readonly CapabilityManifest[],
    @Inject(EvidenceCopy) private readonly evidence: EvidenceCopy,
    @Inject(VerificationCopy) private readonly verifications: VerificationCopy,
    @Inject(CapabilityIndex) private readonly index: CapabilityIndex,
    @Inject(KnownTools) private readonly tools: KnownTools,
    @Inject(ModuleRef) private readonly modules: ModuleRef,
  ) {}

  /** Are the contracts of this build published? */
  get isPublished(): boolean {
    return this.published;
  }

  /** Publishes what this build has, reads what calls have said so far, and begins with the work in the background. */
  async start(): Promise<void> {
    const count = await publishCapabilities(this.pool, this.clock, this.capabilities);
    this.published = true;
    this.logger.info({ published: count, capabilities: this.capabilities.length }, 'the contracts are published');
    if (count > 0) this.committed();
    await this.evidence.load();
    await this.verifications.load();
    await this.index.refresh();
    await this.tools.load();
    this.modules.get(PeriodicTasks, { strict: false }).start();
  }
}
