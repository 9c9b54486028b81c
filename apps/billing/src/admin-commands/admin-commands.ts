import { apiSuccess, publicHeaders, type ApiResponse } from '@capability-router/contracts';
import type { Clock, JsonObject } from '@capability-router/kernel';
import { CLOCK, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type pg from 'pg';
import { runAdminCommand, type AdminCommand } from './run-admin-command.js';

/** Runs the commands of administrators for the controllers of all slices, and answers them alike. */
@Injectable()
export class AdminCommands {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** As `runAdminCommand`. An answer that was given before has a header that says so. */
  async run(
    command: AdminCommand,
    reply: FastifyReply,
    work: (tx: pg.PoolClient, clock: Clock) => Promise<JsonObject>,
  ): Promise<ApiResponse<JsonObject>> {
    const { answer, replayed } = await runAdminCommand(this.pool, command, this.clock, (tx) => work(tx, this.clock));
    if (replayed) void reply.header(publicHeaders.idempotencyReplayed, 'true');
    return apiSuccess(answer);
  }
}
