/** The requests of callers and administrators, as the service judges them: for the description of the interface. */
export { InspectRequest } from './inspect/inspect.request.js';
export { ProbeRequest } from './probe/probe.request.js';
export { CategoriesQuery, ProvidersQuery } from './providers/providers.request.js';
export { SearchRequest } from './search/search.request.js';
export { DryRunQuery } from './admin/dry-run.query.js';
export { ListToolsQuery, PageQuery } from './admin/tools/page.query.js';
export { ToolActionRequest } from './admin/tools/tool-action.request.js';
export { sourceRequestSchemas } from './sources/source-request.js';
