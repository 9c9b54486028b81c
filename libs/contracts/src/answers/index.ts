/** The answers of the public interface as shapes: not used by a service at run time, but by whoever describes or judges what one answers. */
export { adminShapeOf } from './admin-shapes.js';
export * from './answer-shapes.js';
export * from './audit-read-shapes.js';
export * from './audit-shapes.js';
export * from './common-shapes.js';
export * from './consent-shapes.js';
export * from './execution-shapes.js';
export * from './oauth-shapes.js';
export * from './path-templates.js';
export * from './recording.js';
export * from './shapes.js';
export * from './tool-shapes.js';
