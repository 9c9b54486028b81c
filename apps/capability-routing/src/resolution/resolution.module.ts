import { Module } from '@nestjs/common';
import { CapabilityIndex } from './capability-index.js';
import { CapabilityIndexTask } from './capability-index.task.js';

/** Which capability a request in words means. */
@Module({ providers: [CapabilityIndex, CapabilityIndexTask], exports: [CapabilityIndex] })
export class ResolutionModule {}
