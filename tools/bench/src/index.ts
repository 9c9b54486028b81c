/** The parts that other measuring tools share: where the repository is, the machine line, figures, and the document they write. */
export { machineLine } from './machine/machine.js';
export { judged, megabytes, ms, table, whole } from './report/markdown.js';
export { writeSection } from './report/performance-document.js';
export type { SectionName } from './report/performance-document.js';
export { median, percentile } from './statistics.js';
export { workspaceRoot } from './workspace.js';
