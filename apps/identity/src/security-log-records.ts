/** The functions that tools run over the public topic of the security log; nothing of them runs in the service. */
export { chainedRecord, followRecords, type ChainedRecord } from './security-log/topic/verify-records.js';
export type { Finding } from './security-log/verify/verify-chains.js';
