import type { ProviderDefinition, ToolManifest } from '@capability-router/contracts';
import { almanac } from './providers/almanac/almanac.provider.js';
import { assay } from './providers/assay/assay.provider.js';
import { atlas } from './providers/atlas/atlas.provider.js';
import { forge } from './providers/forge/forge.provider.js';
import { formula } from './providers/formula/formula.provider.js';
import { lingua } from './providers/lingua/lingua.provider.js';
import { scribe } from './providers/scribe/scribe.provider.js';
import { toolbox } from './providers/toolbox/toolbox.provider.js';
import { allTools } from './tools.js';

export { builtinCapabilities } from './capabilities/index.js';
export { builtinCategories } from './categories.js';

export const builtinProviders: readonly ProviderDefinition[] = [
  formula,
  almanac,
  atlas,
  lingua,
  toolbox,
  scribe,
  assay,
  forge,
];

export const builtinTools: readonly ToolManifest[] = allTools.map((tool) => tool.manifest);

/**
 * File URL of the operations for a runner process. Always the built file, also when this module runs from its source,
 * because such a process runs plain JavaScript.
 */
export const builtinOperationsUrl: string = new URL('../dist/worker.js', import.meta.url).href;
