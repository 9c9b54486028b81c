import { AppError, canonicalUuid, type Clock } from '@capability-router/kernel';
import { CLOCK, COMMITTED, inTransaction, POOL, requireValid } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { IsNull } from 'typeorm';
import { accountsIn } from '../accounts/accounts-in.js';
import { apiKeysIn } from '../api-keys/api-keys-in.js';
import { awaitChange } from '../evictions/await-change.js';
import { changeProject } from './change-project.js';
import { createProject } from './create-project.js';
import { moveKey, type MoveKey } from './move-key.js';
import { budgetIn, ChangeProjectRequest, CreateProjectRequest } from './project.requests.js';
import {
  projectRefusal,
  toProject,
  toProjectWithKeys,
  type MovedKey,
  type ProjectFacts,
  type ProjectList,
  type ProjectWithKeys,
} from './project.responses.js';
import { projectsIn } from '../projects/projects-in.js';

/** An account, where it asks itself; an administrator names none, and reaches the projects of all. */
type Asker = string | undefined;

/** Projects, whoever asks. What changes is answered when every living gateway acts by it, or after a second with `pending`. */
@Injectable()
export class Projects {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(COMMITTED) private readonly committed: () => void,
  ) {}

  async list(accountId: string): Promise<ProjectList> {
    const found = await (await projectsIn(this.pool)).find({ where: { accountId }, order: { projectId: 'DESC' } });
    const isKnown = found.length > 0 || (await (await accountsIn(this.pool)).existsBy({ accountId }));
    if (!isKnown) throw projectRefusal('unknown_account');
    return { items: found.map(toProject) };
  }

  async read(asker: Asker, named: string): Promise<ProjectWithKeys> {
    const projectId = canonicalUuid(named);
    if (projectId === undefined) throw projectRefusal('unknown_project');
    const project = await (await projectsIn(this.pool)).findOneBy({ projectId });
    if (project === null || project.accountId !== (asker ?? project.accountId)) throw projectRefusal('unknown_project');
    const { accountId } = project;
    const where = { accountId, projectId, revokedAt: IsNull() };
    const keys = await (await apiKeysIn(this.pool)).find({ where, order: { apiKeyId: 'DESC' } });
    return toProjectWithKeys(project, keys);
  }

  async create(accountId: string, body: unknown): Promise<ProjectFacts> {
    const request = requireValid(CreateProjectRequest, body);
    const command = { accountId, name: request.name, budget: budgetIn(request) ?? null, nowMs: this.clock.nowMs() };
    const result = await inTransaction(this.pool, (tx) => createProject(tx, command));
    if (result.status !== 'created') throw projectRefusal(result.status);
    this.committed();
    return toProject(result.project);
  }

  async change(asker: Asker, named: string, body: unknown): Promise<ProjectFacts> {
    const projectId = canonicalUuid(named);
    if (projectId === undefined) throw new AppError('not_found');
    const request = requireValid(ChangeProjectRequest, body);
    const nowMs = this.clock.nowMs();
    const { name, state } = request;
    const command = { projectId, ...of(asker), name, state, budget: budgetIn(request), nowMs };
    const result = await inTransaction(this.pool, (tx) => changeProject(tx, command));
    if (result.status === 'unknown_project') throw projectRefusal(result.status);
    if (result.status === 'changed') this.committed();
    return { ...toProject(result.project), ...(await awaitChange(this.pool, result.change, nowMs)) };
  }

  async move(asker: Asker, wanted: Pick<MoveKey, 'apiKeyId' | 'projectId' | 'to'>): Promise<MovedKey> {
    const [projectId, apiKeyId] = [canonicalUuid(wanted.projectId), canonicalUuid(wanted.apiKeyId)];
    if (projectId === undefined || apiKeyId === undefined) throw new AppError('not_found');
    const nowMs = this.clock.nowMs();
    const command = { projectId, apiKeyId, to: wanted.to, ...of(asker), nowMs };
    const result = await inTransaction(this.pool, (tx) => moveKey(tx, command));
    if (result.status !== 'moved' && result.status !== 'unchanged') throw projectRefusal(result.status);
    if (result.status === 'moved') this.committed();
    return {
      api_key_id: apiKeyId,
      account_id: result.accountId,
      ...(result.projectId === null ? {} : { project_id: result.projectId }),
      ...(await awaitChange(this.pool, result.change, nowMs)),
    };
  }
}

const of = (asker: Asker): { readonly accountId?: string } => (asker === undefined ? {} : { accountId: asker });
