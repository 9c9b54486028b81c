import tseslint from 'typescript-eslint';

/** What every project ignores: build output, data of a running deployment, and files that no project compiles. */
const ignored = [
  '**/dist/**',
  '**/node_modules/**',
  'data/**',
  '.stack/**',
  '.nx/**',
  'coverage/**',
  '**/*.{js,cjs,mjs}',
];

export default tseslint.config(
  { ignores: ignored },
  ...tseslint.configs.recommendedTypeChecked,
  {
    files: ['**/*.{ts,mts}'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      'no-constant-condition': ['error', { checkLoops: 'allExceptWhileTrue' }],
      'object-shorthand': 'error',
      'prefer-const': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: 'only-allowed-literals' },
      ],
      '@typescript-eslint/no-unnecessary-boolean-literal-compare': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/return-await': ['error', 'in-try-catch'],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // Numbers and booleans read well in a template; anything else has to be turned into text on purpose.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      // `Credits` is a branded bigint, which the rule takes for something else.
      '@typescript-eslint/no-unsafe-unary-minus': 'off',
      // Ports here are objects of closures, declared with method syntax: taking one apart is safe.
      '@typescript-eslint/unbound-method': 'off',
      // An async method without await still keeps a port's promise: a throw becomes a rejection.
      '@typescript-eslint/require-await': 'off',
      // `import type` of an injected class or of a DTO removes what Nest and class-validator need at run time.
      '@typescript-eslint/consistent-type-imports': 'off',
    },
  },
  {
    // Programs that people start from a terminal talk to it.
    files: ['tools/**/*.ts', 'apps/*/src/main.ts', 'apps/standalone/src/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    // Random histories print their seed, so that a failure can be repeated.
    files: ['**/*.sim.spec.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['**/*.spec.ts'],
    rules: {
      // A test reads answers that have no type yet, and `expect.objectContaining` and its kin are typed as any.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
);
