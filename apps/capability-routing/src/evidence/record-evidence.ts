import type { EventBatch } from '@capability-router/event-bus';
import type pg from 'pg';
import { findToolCopies } from '../tool-copies/tool-copies.js';
import type { ToolCopyRecord } from '../tool-copies/tool-copy.entity.js';
import { attemptSamplesOf, type AttemptSample } from './domain/attempt-samples.js';
import { noEvidence, withSample, type Evidence } from './domain/evidence.js';
import { providerSubject, toolSubject } from './domain/subject.js';
import { beginEvidence, lockEvidence, saveEvidence } from './evidence.sql.js';

/**
 * Adds what a batch of execution events says about tools and their providers, in the caller's transaction. Calls of tools that are not
 * known, and those by the owner of a provider, say nothing.
 */
export async function recordEvidence(tx: pg.PoolClient, events: EventBatch): Promise<void> {
  const samples = events.flatMap(attemptSamplesOf);
  if (samples.length === 0) return;
  const tools = await findToolCopies(tx, [...new Set(samples.map(({ toolId }) => toolId))]);
  const counted = samples.flatMap((sample) => subjectsOf(sample, tools).map((subject) => [subject, sample] as const));
  const subjects = [...new Set(counted.map(([subject]) => subject))];
  if (subjects.length === 0) return;
  await beginEvidence(tx, subjects);
  const evidence: Map<string, Evidence> = await lockEvidence(tx, subjects);
  for (const [subject, sample] of counted) {
    evidence.set(subject, withSample(evidence.get(subject) ?? noEvidence, sample));
  }
  await saveEvidence(tx, evidence);
}

function subjectsOf({ toolId, accountId }: AttemptSample, tools: ReadonlyMap<string, ToolCopyRecord>): string[] {
  const tool = tools.get(toolId);
  if (tool === undefined || tool.ownerAccountIds.includes(accountId)) return [];
  return [toolSubject(toolId), providerSubject(tool.providerId)];
}
