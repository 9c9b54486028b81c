import { apiSuccess, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import { AppError, canonicalUuid, toIso, type Clock } from '@capability-router/kernel';
import {
  AllowCallers,
  CLOCK,
  COMMITTED,
  CONFIG,
  CurrentAccount,
  inTransaction,
  POOL,
  requireAdmin,
  requireValid,
  type ExternalIssuer,
} from '@capability-router/service-kit';
import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import type pg from 'pg';
import type { IdentityConfig } from '../../config.js';
import { awaitChange } from '../../evictions/await-change.js';
import { awaitEviction } from '../../evictions/await-eviction.js';
import { hashSubject } from '../hash-subject.js';
import { ExternalSubjectsQuery } from './external-subjects.query.js';
import {
  askedForNobody,
  linkRefusal,
  sharedIssuer,
  toFacts,
  unknownIssuer,
  type ExternalSubjectFacts,
  type ExternalSubjectList,
  type LinkedSubject,
  type UnlinkedSubject,
} from './external-subjects.responses.js';
import { linkSubject, MAX_LINKS_PER_ACCOUNT } from './link-subject.js';
import { LinkSubjectRequest } from './link-subject.request.js';
import { findLinkOfSubject, listLinks, type SubjectLink } from './subject-links.sql.js';
import { unlinkSubject } from './unlink-subject.js';

/** Administrators say here for which account the tokens of somebody of an external issuer act. */
@Controller('admin/v1/external-subjects')
export class ExternalSubjectsController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(COMMITTED) private readonly committed: () => void,
    @Inject(CONFIG) private readonly config: Pick<IdentityConfig, 'externalIssuers'>,
  ) {}

  /** Answers when no living gateway refuses the subject's tokens any more, or after a second with `pending`. */
  @Post()
  @HttpCode(201)
  @AllowCallers('gateway')
  async link(@CurrentAccount() caller: AccountAssertion, @Body() body: unknown): Promise<ApiResponse<LinkedSubject>> {
    requireAdmin(caller);
    const { account_id: accountId, subject, issuer: named } = requireValid(LinkSubjectRequest, body);
    const issuer = this.issuerOf(named, 'body');
    if (issuer.accountId !== undefined) throw sharedIssuer(issuer);
    const nowMs = this.clock.nowMs();
    const command = { issuer, subject, accountId, linkedBy: caller.accountId, nowMs };
    const result = await inTransaction(this.pool, (tx) => linkSubject(tx, command));
    if (!('link' in result)) throw linkRefusal(result);
    if (result.status === 'linked') this.committed();
    const pending = await awaitChange(this.pool, result.change, nowMs);
    const { externalSubjectId, linkedAt } = result.link;
    const { name, iss } = issuer;
    const whose = { external_subject_id: externalSubjectId, account_id: accountId };
    return apiSuccess({ ...whose, issuer: name, iss, subject, linked_at: linkedAt.toISOString(), ...pending });
  }

  /** Those of an account, or the one of a subject; none of an account that is closed. */
  @Get()
  @AllowCallers('gateway')
  async list(
    @CurrentAccount() caller: AccountAssertion,
    @Query() query: unknown,
  ): Promise<ApiResponse<ExternalSubjectList>> {
    requireAdmin(caller);
    const asked = requireValid(ExternalSubjectsQuery, query, { location: 'query' });
    const found = await this.find(asked);
    return apiSuccess({ items: found.map((link): ExternalSubjectFacts => toFacts(link, this.config.externalIssuers)) });
  }

  /** Answers when no living gateway takes the subject's tokens for the account any more, or after a second with `pending`. */
  @Delete(':externalSubjectId')
  @AllowCallers('gateway')
  async unlink(
    @CurrentAccount() caller: AccountAssertion,
    @Param('externalSubjectId') named: string,
  ): Promise<ApiResponse<UnlinkedSubject>> {
    requireAdmin(caller);
    const id = canonicalUuid(named);
    if (id === undefined) throw new AppError('not_found');
    const nowMs = this.clock.nowMs();
    const by = { removedBy: caller.accountId, nowMs };
    const result = await inTransaction(this.pool, (tx) => unlinkSubject(tx, id, by));
    if (result.status === 'unknown_link') throw new AppError('not_found');
    if (result.status === 'removed') this.committed();
    const { accountId, removedAtMs } = result;
    const evicted = await awaitEviction(this.pool, id, { revokedAtMs: removedAtMs, nowMs });
    return apiSuccess({
      external_subject_id: id,
      account_id: accountId,
      removed_at: toIso(removedAtMs),
      ...(evicted ? {} : { pending: true as const }),
    });
  }

  private async find({ account_id, issuer, subject }: ExternalSubjectsQuery): Promise<readonly SubjectLink[]> {
    if (account_id !== undefined && issuer === undefined && subject === undefined) {
      return listLinks(this.pool, account_id, MAX_LINKS_PER_ACCOUNT);
    }
    if (account_id !== undefined || issuer === undefined || subject === undefined) throw askedForNobody();
    const { iss } = this.issuerOf(issuer, 'query');
    const link = await findLinkOfSubject(this.pool, hashSubject(iss, subject));
    return link === undefined || link.accountStatus === 'closed' ? [] : [link];
  }

  private issuerOf(named: string, location: 'body' | 'query'): ExternalIssuer {
    const { externalIssuers } = this.config;
    const found = externalIssuers.find(({ name, iss }) => name === named || iss === named);
    if (found === undefined) throw unknownIssuer(externalIssuers, location);
    return found;
  }
}
