import { Module } from '@nestjs/common';
import { KnownContracts } from '../contracts/known-contracts.js';
import { CapabilityIndex } from './capability-index.js';
import { CapabilityIndexTask } from './capability-index.task.js';

/** The contracts in memory, and which of them a request in words means. */
@Module({
  providers: [KnownContracts, CapabilityIndex, CapabilityIndexTask],
  exports: [KnownContracts, CapabilityIndex],
})
export class ResolutionModule {}
