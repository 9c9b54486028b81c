/** The requests of callers of the public interface, as the service judges them: for the description of the interface. */
export { InspectRequest } from './inspect/inspect.request.js';
export { ProbeRequest } from './probe/probe.request.js';
export { CategoriesQuery, ProvidersQuery } from './providers/providers.request.js';
export { SearchRequest } from './search/search.request.js';
