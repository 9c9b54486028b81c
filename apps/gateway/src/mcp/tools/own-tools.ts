import { call, queryCapability } from './calling-tools.js';
import type { McpTool } from './mcp-tool.js';
import { creditsLedger, usageHistory } from './reading-tools.js';
import { discover, inspect, probe } from './search-tools.js';

/** In the order in which an agent needs them, which is that of the list. */
export const ownTools: readonly McpTool[] = [
  discover,
  inspect,
  probe,
  call,
  queryCapability,
  usageHistory,
  creditsLedger,
];
