export { createScratchTopics, type ScratchTopics } from './scratch-topics.js';
