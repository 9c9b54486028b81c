export { assemble } from './assemble.js';
export { imageTargets, type ImageTarget } from './targets.js';
export { thirdPartyLicences } from './third-party.js';
