import { API_PREFIX, MCP_PATH } from '@capability-router/contracts';
import type { Secrets } from '@capability-router/service-kit';

/** Settings by which tokens are made and read; whoever runs the service gives them. */
export interface TokenSettings {
  /** Origin under which callers reach the gateway: the issuer of tokens. */
  readonly publicUrl: string;
  /** 32 bytes each, the same on all replicas: private keys are sealed under the first, and opened under any. */
  readonly sealingSecrets: Secrets;
  /** 32 bytes each, the same on all replicas, under which what people type to consent is hashed, and who has signed in is signed. */
  readonly deviceSecrets: Secrets;
}

/** The audience of every access token. */
export const resourceOf = (publicUrl: string): string => `${publicUrl}${API_PREFIX}`;

/** Paths by which a client may name it: each is a door to the same, under the same scopes. */
const RESOURCE_PATHS = [API_PREFIX, MCP_PATH] as const;

/** The resource by the name that a client asked for, without the origin, which may change. */
export type ResourcePath = (typeof RESOURCE_PATHS)[number];

export const resourceAt = (publicUrl: string, path: ResourcePath): string => `${publicUrl}${path}`;

/** Undefined where tokens are not good for the resource. */
export const resourcePathOf = (publicUrl: string, resource: string): ResourcePath | undefined =>
  RESOURCE_PATHS.find((path) => resourceAt(publicUrl, path) === resource);

export const resourcesOf = (publicUrl: string): readonly string[] =>
  RESOURCE_PATHS.map((path) => resourceAt(publicUrl, path));
