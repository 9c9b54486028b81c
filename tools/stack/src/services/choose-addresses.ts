import { contexts, type ContextName } from '@capability-router/contracts';
import { freePorts } from '../system/free-ports.js';
import type { ReplicaAddress } from './service-environment.js';

/**
 * Free ports for so many replicas of each service. The first gateway's is the one wished for where it is free. Without a wish,
 * none is a port that other programs look for: a gateway that is stopped and started again would find it taken.
 */
export async function chooseAddresses(
  replicas: number,
  gatewayPort?: number,
): Promise<Record<ContextName, ReplicaAddress[]>> {
  const ports = await freePorts(contexts.length * replicas * 2, gatewayPort === undefined ? [] : [gatewayPort]);
  const next = (): number => {
    const port = ports.shift();
    if (port === undefined) throw new Error('Too few ports were reserved');
    return port;
  };
  const entries = contexts.map((name) => [
    name,
    Array.from({ length: replicas }, () => ({ port: next(), metricsPort: next() })),
  ]);
  return Object.fromEntries(entries) as Record<ContextName, ReplicaAddress[]>;
}
