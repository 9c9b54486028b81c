import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { OriginInterceptor } from './origin.interceptor.js';
import { OwnSecurityLogController } from './read/own-security-log.controller.js';
import { SecurityLogController } from './read/security-log.controller.js';
import { SecurityReportsController } from './reports/security-reports.controller.js';
import { VerifySecurityLogController } from './verify/verify-security-log.controller.js';

/** Who did what to which account and credential, in chains that show a change. */
@Module({
  controllers: [
    SecurityLogController,
    OwnSecurityLogController,
    VerifySecurityLogController,
    SecurityReportsController,
  ],
  providers: [{ provide: APP_INTERCEPTOR, useClass: OriginInterceptor }],
})
export class SecurityLogModule {}
