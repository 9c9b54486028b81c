/** Native ESM: TypeScript is transformed by swc, workspace libraries are taken from their sources. */
export default {
  rootDir: '.',
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  setupFiles: ['<rootDir>/tools/checks/src/jest/own-cluster.ts'],
  testMatch: ['<rootDir>/{apps,libs,tools,tests}/**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/', '<rootDir>/.nx/'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        swcrc: false,
        module: { type: 'es6' },
        sourceMaps: 'inline',
        jsc: {
          target: 'es2022',
          keepClassNames: true,
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
        },
      },
    ],
  },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  testEnvironmentOptions: { customExportConditions: ['@capability-router/source', 'node', 'node-addons'] },
  // Every file leaves some of its modules behind in a worker. A run at 1,500 MB was slower than one at 500, by its pace.
  workerIdleMemoryLimit: '500MB',
};
