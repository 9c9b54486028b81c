export {
  externalPackages,
  externalPackagesFolder,
  installedFolder,
  type ExternalPackage,
} from './external-packages.js';
export { installExternal } from './install-external.js';
export { installPython, runCommand, type PythonEnvironment } from './python-environment.js';
