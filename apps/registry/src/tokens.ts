// Every slice of the registry may be given these beside the parts of every service; what a slice makes itself is injected by its class.

/** Injection token of the `CatalogueSource` that this build publishes. */
export const CATALOGUE_SOURCE = Symbol('catalogue of this build');
/** Injection token of the `FeedbackVocabulary` that decides which words of a search feedback may keep. */
export const FEEDBACK_VOCABULARY = Symbol('vocabulary of feedback');
