import type { Resolve } from './resolve.js';

/** These settings hold for every provider of a deployment. */
export interface EgressSettings {
  /** Milliseconds for resolving, connecting and the TLS handshake together. Default 5,000. */
  readonly connectTimeoutMs?: number;
  /** Connections to one origin. Default 64. */
  readonly maxConnections?: number;
  /** Bytes of the header section of an answer. Default 16 KiB. */
  readonly maxHeaderBytes?: number;
  /** Bytes of a body, decompressed. Default 8 MiB. */
  readonly maxBodyBytes?: number;
  /** Milliseconds that an idle connection is kept. Default 30,000. */
  readonly keepAliveMs?: number;
  /** HTTP proxy that all connections go through; user and password in the URL. */
  readonly proxyUrl?: string;
  /** The proxy resolves names and keeps our own rules about addresses. False: we vet, and it connects to the address. */
  readonly proxyResolvesNames?: boolean;
  /** Certificates to trust instead of the system's, PEM. */
  readonly ca?: string;
  /** How names are resolved. The system's way where absent. */
  readonly resolve?: Resolve;
}

export const egressDefaults = {
  connectTimeoutMs: 5_000,
  maxConnections: 64,
  maxHeaderBytes: 16_384,
  maxBodyBytes: 8 * 1_024 * 1_024,
  keepAliveMs: 30_000,
} as const;
