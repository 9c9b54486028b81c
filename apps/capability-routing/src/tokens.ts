/** Injection token of the `CapabilityManifest`s that this build publishes, beside the parts of every service. */
export const CAPABILITIES = Symbol('capabilities of this build');
/** Injection token of the `ServiceClient` of execution, which runs what routing decides. */
export const EXECUTION = Symbol('client of execution');
