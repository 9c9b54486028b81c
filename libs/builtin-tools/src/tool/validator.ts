import { lazy } from './operation.js';

/** Shared by the tools that stand on it. */
export const loadValidator = lazy(async () => (await import('validator')).default);
