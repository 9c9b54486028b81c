import type { ReasonCode } from '@capability-router/contracts';
import {
  statusFaults,
  transportFaultFamilies,
  transportFaults,
  unknownTransportFault,
  type ProviderFault,
} from '@capability-router/provider-kit';
import { reasonOfFault } from './domain/reason-of-fault.js';

/** A fault, the reason code that it becomes, and everything in a provider's exchange that leads to it. */
export interface FaultCauses {
  readonly fault: ProviderFault;
  readonly reasonCode: ReasonCode;
  /** Statuses of a provider, or a phrase for those that are not listed. */
  readonly statuses: readonly string[];
  /** Codes of Node, OpenSSL, llhttp, zlib, undici or ours; `HPE_*` is every code that begins so. */
  readonly errors: readonly string[];
}

/** Every fault with what leads to it, from the tables by which calls are classified. */
export function faultCauses(): FaultCauses[] {
  return (Object.keys(reasonOfFault) as ProviderFault[]).map((fault) => ({
    fault,
    reasonCode: reasonOfFault[fault],
    statuses: [
      ...Object.entries(statusFaults).flatMap(([status, of]) => (of === fault ? [status] : [])),
      ...(fault === 'http_error' ? ['any other that is not 2xx'] : []),
    ],
    errors: [
      ...Object.entries(transportFaults).flatMap(([code, meaning]) => (meaning.fault === fault ? [code] : [])),
      ...transportFaultFamilies.flatMap(([prefix, meaning]) => (meaning.fault === fault ? [`${prefix}*`] : [])),
      ...(unknownTransportFault.fault === fault ? ['any other'] : []),
    ],
  }));
}
