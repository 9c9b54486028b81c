import { describeEntities } from '@capability-router/service-kit/testing';
import { createScratchDatabase } from './test-support/scratch-database.js';

describeEntities('billing', new URL('.', import.meta.url), createScratchDatabase);
