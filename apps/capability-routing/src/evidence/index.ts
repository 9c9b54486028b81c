export type { AttemptSample } from './domain/attempt-samples.js';
export { noEvidence, withSample } from './domain/evidence.js';
export type { Evidence } from './domain/evidence.js';
export { toolEvidenceAt } from './domain/tool-evidence.js';
export type { ToolEvidence } from './domain/tool-evidence.js';
export { forgetEvidence } from './evidence.sql.js';
