import { accountOf, AllowCallers, requireAdmin } from '@capability-router/service-kit';
import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { manifestSchema } from './manifest-schema.js';

@Controller('admin/v1/schemas')
export class ManifestSchemaController {
  /** The JSON Schema by which manifests are checked; `docs/schemas` has the same as a file. */
  @Get('manifest')
  @AllowCallers('gateway')
  schema(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    requireAdmin(accountOf(request));
    void reply.header('content-type', 'application/schema+json; charset=utf-8').send(JSON.stringify(manifestSchema));
  }
}
