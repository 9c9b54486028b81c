export {
  externalPackages,
  externalPackagesFolder,
  installedFolder,
  type ExternalPackage,
} from './external-packages.js';
export { installExternal } from './install-external.js';
