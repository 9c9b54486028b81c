import { describeEntities } from '@capability-router/service-kit/testing';
import { createScratchDatabase } from './test-support/scratch-database.js';

describeEntities('capability routing', new URL('.', import.meta.url), createScratchDatabase);
