export * from './builtin/builtin-adapter.js';
export type { BreakerState } from './channels/breaker.js';
export { ProviderChannels } from './channels/provider-channels.js';
export type { BreakerReport, ProviderChannelsOptions } from './channels/provider-channels.js';
export { Authorizer } from './credentials/authorizer.js';
export * from './credentials/credential-fields.js';
export * from './credentials/credential-source.js';
export { ACCOUNT_CREDENTIALS_PATH, signInRequired } from './credentials/sign-in-required.js';
export * from './egress/index.js';
export {
  classifyTransport,
  transportFaultFamilies,
  transportFaults,
  unknownTransportFault,
} from './faults/classify-transport.js';
export { isPassingStatus, isSuccessStatus, statusFaults } from './faults/http-status.js';
export { HttpAdapter } from './http/http-adapter.js';
export { JsonPathPool } from './jsonpath/json-path-pool.js';
export { JsonataPool, type Computed } from './jsonata/jsonata-pool.js';
export { jsonPathFault } from './jsonpath/json-path-fault.js';
export { judgeResult, unjudged, type ResultVerdict } from './jsonpath/judge-result.js';
export type { JsonPathSelection } from './jsonpath/selection.js';
export { listMcpTools, McpListError, type ListMcpToolsOptions, type McpTool } from './mcp/list-mcp-tools.js';
export { McpAdapter } from './mcp/mcp-adapter.js';
export { parseStdioCommands, type StdioCommand, type StdioCommands } from './mcp/stdio-commands.js';
export * from './provider-adapter.js';
export type { Tasks } from './runners/messages.js';
export type { TaskEndedBy, TaskOutcome, TaskUsage } from './runners/pool-task.js';
export type { EvaluationPoolOptions, Unselected } from './runners/evaluation-pool.js';
export { RunnerPool, type RunnerPoolOptions } from './runners/runner-pool.js';
export { RoutingAdapter, type OnAnswer } from './routing/routing-adapter.js';
