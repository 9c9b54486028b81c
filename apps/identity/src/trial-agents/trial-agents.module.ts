import { Module } from '@nestjs/common';
import { PurgeCountersTask } from './purge-counters.task.js';
import { RegisterTrialAgentController } from './register-trial-agent.controller.js';
import { TrialRegistrations } from './trial-registrations.js';

/** Agents that register themselves, within caps. */
@Module({ controllers: [RegisterTrialAgentController], providers: [PurgeCountersTask, TrialRegistrations] })
export class TrialAgentsModule {}
