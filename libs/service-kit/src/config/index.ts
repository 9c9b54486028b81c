/** What reads an environment, by itself: a program that must say first what is wrong with it loads nothing else. */
export { ConfigError, loadEnv } from './load-env.js';
export { integer, list, oneOf, text, url } from './validators.js';
