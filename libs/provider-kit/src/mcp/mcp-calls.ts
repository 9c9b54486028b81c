/** These are loaded with the SDK, at once. */
export { McpHttpCalls } from './mcp-http-calls.js';
export { McpStdioCalls } from './mcp-stdio-calls.js';
