/** Injection token of the `FeedbackVocabulary` that decides which words of a search feedback may keep. */
export const FEEDBACK_VOCABULARY = Symbol('vocabulary of feedback');
