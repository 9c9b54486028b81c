/** For the benchmark of the search: how a query is answered where a model is configured. */
export { loadRegistryConfig } from '../config.js';
export { semanticEvidence } from './domain/semantic-evidence.js';
export { NEIGHBOURS } from './semantic-search.js';
export { OnnxEmbedder } from './onnx/onnx-embedder.js';
export { modelQuestion, questionPolicy } from './query/model-question.js';
export { packVector } from './vectors/packed-vector.js';
export { VectorIndex } from './vectors/vector-index.js';
