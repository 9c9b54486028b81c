import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { AccountRegionController } from './admin/account-region.controller.js';
import { AdminAccountsController } from './admin/admin-accounts.controller.js';
import { AdminApiKeysController } from './admin/admin-api-keys.controller.js';
import { VerifyCredentialController } from './api-keys/verify-credential.controller.js';
import { IDENTITY } from './context.js';
import type { IdentityContext } from './context.js';
import { PurgeReportsTask } from './evictions/purge-reports.task.js';
import { GatewayReportController } from './evictions/gateway-report.controller.js';
import { PurgeCountersTask } from './trial-agents/purge-counters.task.js';
import { RegisterTrialAgentController } from './trial-agents/register-trial-agent.controller.js';

@Module({})
export class IdentityModule {
  static with(context: IdentityContext): DynamicModule {
    return {
      module: IdentityModule,
      providers: [{ provide: IDENTITY, useValue: context }, PurgeReportsTask, PurgeCountersTask],
      controllers: [
        VerifyCredentialController,
        GatewayReportController,
        RegisterTrialAgentController,
        AdminAccountsController,
        AccountRegionController,
        AdminApiKeysController,
      ],
    };
  }
}
