// An entry of its own, light to load: a process that has to load the services first can let the dictionary of the search
// index be read meanwhile. The registry then finds it read.
export { loadChineseGlossesApart } from '@capability-router/tool-search';
