export { podsOf, renderChart, type ChartRendering } from './deploy/chart.js';
export { environmentOf, selects } from './deploy/check-chart.js';
export { reachOf, type Reach } from './deploy/check-network.js';
export { at, listAt, ofKind, recordAt, renderKustomization, textAt, type Manifest } from './deploy/manifests.js';
export type { FirstAccounts } from './services/first-accounts.js';
export { attachServices } from './services/attach-services.js';
export { quickRecovery, shippedTimes } from './services/quick-recovery.js';
export { stopRecordedServices } from './services/recorded-services.js';
export { Replica } from './services/replica.js';
export type { RunningServices } from './services/running-services.js';
export { booksEnvironment, type ServiceEnvironment } from './services/service-environment.js';
export { startServices, type StartServicesOptions } from './services/start-services.js';
export {
  readRunningStack,
  stackDirectory,
  type DatabaseAccess,
  type PartName,
  type ServiceWithDatabase,
  type StackState,
} from './stack-state.js';
export { startStack, type StartStackOptions } from './start-stack.js';
export { stopStack, type StopStackOptions } from './stop-stack.js';
export { startScratchCluster, type ScratchCluster } from './parts/scratch-cluster.js';
export { findJava, kafkaConnectLibraries } from './parts/kafka-libraries.js';
export { freezePart, killPart, startPart } from './parts/part-control.js';
export { allTopics, createTopics, topicConfig } from './parts/topics.js';
export { freePorts } from './system/free-ports.js';
export { imageOptions, npmStartOptions } from './system/start-options.js';
export { findProgram, OperatorError } from './system/programs.js';
export { renderedAlerts, type AlertRule } from './deploy/alert-rules.js';
export { workspaceRoot } from './workspace.js';
