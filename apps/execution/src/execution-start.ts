import { PeriodicTasks } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { OwnerLease } from './call/journal/owner-lease.js';
import { ReplacedCredentials } from './providers/replaced-credentials.js';
import { ToolProviders } from './providers/tool-providers.js';
import { ToolCopiesFeed } from './tool-copies/tool-copies-feed.js';

/** Everything that execution does before it is ready, in this order. */
@Injectable()
export class ExecutionStart {
  constructor(
    @Inject(OwnerLease) private readonly lease: OwnerLease,
    @Inject(ToolProviders) private readonly providers: ToolProviders,
    @Inject(ToolCopiesFeed) private readonly tools: ToolCopiesFeed,
    @Inject(ReplacedCredentials) private readonly credentials: ReplacedCredentials,
    @Inject(ModuleRef) private readonly modules: ModuleRef,
  ) {}

  /** Takes the lease, loads the catalogue, follows its changes and those of credentials, and begins with the work in the background. */
  async start(): Promise<void> {
    await Promise.all([this.lease.start(), this.providers.start()]);
    await this.tools.start();
    await this.credentials.start();
    this.modules.get(PeriodicTasks, { strict: false }).start();
  }
}
