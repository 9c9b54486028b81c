import { PeriodicTasks } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';

/** Everything that identity does before it is ready. */
@Injectable()
export class IdentityStart {
  constructor(@Inject(ModuleRef) private readonly modules: ModuleRef) {}

  /** Begins with the work in the background. */
  start(): Promise<void> {
    this.modules.get(PeriodicTasks, { strict: false }).start();
    return Promise.resolve();
  }
}
