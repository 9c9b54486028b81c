import { Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { PERIODIC_CONTEXT, PeriodicTasks, type PeriodicContext } from './periodic-tasks.js';

/** Finds the `@Periodic` methods of every provider of the application that imports it. */
@Module({})
export class PeriodicTasksModule {
  static with(context: PeriodicContext): DynamicModule {
    return {
      module: PeriodicTasksModule,
      imports: [DiscoveryModule],
      providers: [PeriodicTasks, { provide: PERIODIC_CONTEXT, useValue: context }],
      exports: [PeriodicTasks],
    };
  }
}
