/** Specs run as the compiler has built them (`npm run build`), in modules that a worker loads once for all of its files. */
export default {
  rootDir: '.',
  testEnvironment: '<rootDir>/tools/checks/dist/jest/native/native-environment.js',
  runtime: '<rootDir>/tools/checks/dist/jest/native/native-runtime.js',
  injectGlobals: false,
  transform: {},
  extensionsToTreatAsEsm: ['.ts'],
  setupFiles: ['<rootDir>/tools/checks/dist/jest/own-cluster.js'],
  testMatch: ['<rootDir>/{apps,libs,tools,tests}/**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/', '<rootDir>/.nx/'],
  workerIdleMemoryLimit: '1000MB',
  // A worker that has left nothing open still gives back up to a gigabyte when it ends: 250 ms for half of one on a busy machine.
  workerGracefulExitTimeout: 5_000,
};
