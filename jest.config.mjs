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
  // Every file leaves some of its modules behind in a worker. At 1,500 MB the specs on PostgreSQL took longer than at 500.
  workerIdleMemoryLimit: '500MB',
};
