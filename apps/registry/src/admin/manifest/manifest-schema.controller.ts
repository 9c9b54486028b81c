import type { AccountAssertion } from '@capability-router/contracts';
import { AllowCallers, CurrentAccount, requireAdmin } from '@capability-router/service-kit';
import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { manifestSchema } from './manifest-schema.js';

@Controller('admin/v1/schemas')
export class ManifestSchemaController {
  /** The JSON Schema by which manifests are checked; `docs/schemas` has the same as a file. */
  @Get('manifest')
  @AllowCallers('gateway')
  schema(@CurrentAccount() caller: AccountAssertion, @Res() reply: FastifyReply): void {
    requireAdmin(caller);
    void reply.header('content-type', 'application/schema+json; charset=utf-8').send(JSON.stringify(manifestSchema));
  }
}
