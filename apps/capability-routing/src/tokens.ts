/** Injection token of the `CapabilityManifest`s that this build publishes, beside the parts of every service. */
export const CAPABILITIES = Symbol('capabilities of this build');
