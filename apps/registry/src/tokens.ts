// Every slice of the registry may be given these beside the parts of every service; what a slice makes itself is injected by its class.

/** Injection token of the `CatalogueSource` that this build publishes. */
export const CATALOGUE_SOURCE = Symbol('catalogue of this build');
/** Injection token of the `FeedbackVocabulary` that decides which words of a search feedback may keep. */
export const FEEDBACK_VOCABULARY = Symbol('vocabulary of feedback');
/** Injection token of the `ServiceClient` of execution, which runs the examples of tools. */
export const EXECUTION = Symbol('client of execution');
/** Injection token of the `ServiceClient` of identity, which opens the account of verification. */
export const IDENTITY = Symbol('client of identity');
/** Injection token of the `InternalTokens` with which the registry vouches for that account. */
export const TOKENS = Symbol('tokens between services');
