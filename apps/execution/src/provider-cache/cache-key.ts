import { createHash } from 'node:crypto';
import type { ToolContract } from '@capability-router/contracts';
import { canonicalJson, type JsonObject } from '@capability-router/kernel';
import { credentialFields, type CredentialQuery } from '@capability-router/provider-kit';

export interface CacheSubject {
  readonly tool: ToolContract;
  readonly parameters: JsonObject;
  readonly accountId: string;
}

/** Says which credential is there, without opening it. */
export interface CredentialRevisions {
  /** Another one after every change, and for every owner; undefined where there is no credential. */
  revision(query: CredentialQuery): Promise<string | undefined>;
}

/**
 * Names everything that a result depends on: the very contract (`version` grows with whatever callers see of it), the
 * parameters in canonical form, the account where calls carry its own credentials, and the credential, so that a result
 * that was got with another one is never found. Undefined where there is no credential that the call could carry.
 */
export async function cacheKey(subject: CacheSubject, credentials: CredentialRevisions): Promise<string | undefined> {
  const { tool, parameters, accountId } = subject;
  const { providerId, credential } = tool.provider;
  const owner = credential === 'account' ? { accountId } : {};
  const auth = tool.binding.kind === 'builtin' ? 'none' : tool.binding.auth.kind;
  const revision = credentialFields[auth].length > 0 ? await credentials.revision({ providerId, ...owner }) : '';
  if (revision === undefined) return undefined;
  const named = { toolId: tool.toolId, version: tool.version, hash: tool.schemaHash, ...owner, revision, parameters };
  return createHash('sha256').update(canonicalJson(named)).digest('hex');
}
