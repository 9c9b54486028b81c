import { Module } from '@nestjs/common';
import { PurgeCountersTask } from './purge-counters.task.js';
import { RegisterTrialAgentController } from './register-trial-agent.controller.js';

/** Agents that register themselves, within caps. */
@Module({ controllers: [RegisterTrialAgentController], providers: [PurgeCountersTask] })
export class TrialAgentsModule {}
