/** Who may import whom. A lower layer that reaches up, or a service that reaches into another, fails the check. */
const specFiles = '\\.spec\\.ts$|/testing/|/test-support/';

/** The steps of a call in the order in which it takes them: each may use those before it. */
const stepsOfACall = ['request', 'admission', 'journal', 'hold', 'dispatch', 'outcome', 'answer'];
const domainOfCalls = '^apps/execution/src/call/(domain|[a-z]+/domain)/';
/** Where the pipeline enters them. */
const entriesOfSteps =
  'admission/admit-call|admission/admit-plan|hold/begin-execution|dispatch/attempt-dispatch|outcome/attempt-outcome|answer/finish-call';
/** The slices of execution that a call uses. The others use the call. */
const slicesBelowACall = '(closed-accounts|credentials|payloads|provider-cache|providers|result-shaping|tool-copies)';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment:
        'Modules in a cycle cannot be understood, tested or loaded one at a time. A type counts as much as a value.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'imports-resolve',
      comment: 'An import that resolves to nothing fails at start.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'apps-do-not-import-apps',
      comment: 'Services talk over HTTP and events; only standalone puts them into one process.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/', pathNot: '^apps/standalone/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'nothing-imports-standalone',
      comment:
        'Standalone is a way to run the services, not a part of them. The test runner, the bench and the command line borrow its embedded database, the documentation its settings.',
      severity: 'error',
      from: { pathNot: '^(apps/standalone|tools/(checks|bench|cli|docs))/' },
      to: { path: '^apps/standalone/' },
    },
    {
      name: 'libs-do-not-import-apps',
      comment: 'Libraries are below the services that use them.',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^(apps|tools|tests)/' },
    },
    {
      name: 'kernel-imports-nothing-of-ours',
      comment: 'The kernel is the bottom.',
      severity: 'error',
      from: { path: '^libs/kernel/' },
      to: { path: '^(libs|apps|tools|tests)/', pathNot: '^libs/kernel/' },
    },
    {
      name: 'contracts-imports-kernel-only',
      comment: 'Contracts are what crosses a boundary, so they depend on nothing but the vocabulary.',
      severity: 'error',
      from: { path: '^libs/contracts/', pathNot: specFiles },
      to: { pathNot: '^libs/(contracts|kernel)/' },
    },
    {
      name: 'client-stands-alone',
      comment: 'Strangers install it: it depends on the platform and on what its own manifest names.',
      severity: 'error',
      from: { path: '^libs/client/', pathNot: specFiles },
      to: { pathNot: '^libs/client/|node_modules/openapi-(fetch|typescript-helpers)/' },
    },
    {
      name: 'kafkajs-behind-the-bus',
      comment: 'The client is no longer maintained: whoever replaces it changes one library.',
      severity: 'error',
      from: { path: '^(apps|libs|tools|tests)/', pathNot: '^libs/event-bus/' },
      to: { path: 'node_modules/kafkajs/' },
    },
    {
      name: 'tool-search-is-pure',
      comment:
        'The ranking engine can be measured and fuzzed alone: no framework, no database, no disk and no thread but for the loaders of data that is shipped with it, and the thread around it.',
      severity: 'error',
      from: {
        path: '^libs/tool-search/',
        pathNot: `${specFiles}|/glosses/(load-glosses|kept-glosses|dictionary-file)|/vectors/word-vectors|/thread/`,
      },
      to: {
        pathNot: '^libs/(tool-search|contracts|kernel)/|node_modules/wink-porter2-stemmer/|^(node:)?timers/promises$',
      },
    },
    {
      name: 'tool-calls-is-pure',
      comment:
        'What a call must look like and what it costs is the same for Call and Probe: no framework, no database.',
      severity: 'error',
      from: { path: '^libs/tool-calls/', pathNot: specFiles },
      to: { pathNot: '^libs/(tool-calls|contracts|kernel)/|node_modules/(ajv|ajv-formats|re2js)/' },
    },
    {
      name: 'domain-is-plain',
      comment:
        'Domain code is plain TypeScript: kernel, contracts and other domain code; no framework, database, clock or Node.',
      severity: 'error',
      from: { path: '^(apps|libs)/.*/domain/', pathNot: `${specFiles}|${domainOfCalls}` },
      to: { pathNot: '/domain/|^libs/(kernel|contracts)/' },
    },
    {
      name: 'domain-of-calls-is-plain',
      comment:
        'What decides a call is plain as well, with the pure rules of tool-calls about parameters and prices. Of what comes from providers and billing it knows the types.',
      severity: 'error',
      from: { path: domainOfCalls, pathNot: specFiles },
      to: { pathNot: '/domain/|^libs/(kernel|contracts|tool-calls|provider-kit|service-kit)/' },
    },
    {
      name: 'domain-of-calls-runs-no-library',
      comment: 'A type runs nothing; a value of these libraries may open connections, start processes or read a clock.',
      severity: 'error',
      from: { path: domainOfCalls, pathNot: specFiles },
      to: { path: '^libs/(provider-kit|service-kit)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'one-posting-path',
      comment:
        'The statements that write the ledger are run by a posting alone: it locks, chains and touches the balances in one order.',
      severity: 'error',
      from: { path: '^apps/billing/', pathNot: `^apps/billing/src/ledger/posting/|${specFiles}` },
      to: { path: '^apps/billing/src/ledger/posting/.*\\.sql\\.ts$' },
    },
    ...stepsOfACall.slice(0, -1).map((step, index) => ({
      name: `call-${step}-before-${stepsOfACall[index + 1]}`,
      comment: 'A call is read from its request to its answer: no step knows what comes after it.',
      severity: 'error',
      from: { path: `^apps/execution/src/call/${step}/`, pathNot: specFiles },
      to: { path: `^apps/execution/src/call/(${stepsOfACall.slice(index + 1).join('|')})/` },
    })),
    {
      name: 'steps-of-a-call-know-no-call',
      comment: 'What puts the steps together stands beside their folders; all that they share there are the deadlines.',
      severity: 'error',
      from: { path: '^apps/execution/src/call/(?!domain/)[^/]+/', pathNot: specFiles },
      to: { path: '^apps/execution/src/call/([^/]+\\.ts$|domain/)', pathNot: '/deadlines\\.ts$' },
    },
    {
      name: 'steps-of-a-call-are-entered-by-the-pipeline',
      comment:
        'A reader who follows a call enters each step once: no step leads into another. What one step decided reaches the next as a value, whose type it may name.',
      severity: 'error',
      from: { path: '^apps/execution/src/', pathNot: `^apps/execution/src/call/[^/]+\\.ts$|${specFiles}` },
      to: { path: `^apps/execution/src/call/(${entriesOfSteps})\\.ts$`, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'a-call-uses-the-slices-below-it',
      comment:
        'Idempotency keys, the route, look-ups and the life of executions use the call, so it knows nothing of them.',
      severity: 'error',
      from: { path: '^apps/execution/src/call/', pathNot: specFiles },
      to: { path: '^apps/execution/src/[^/]+/', pathNot: `^apps/execution/src/(call|${slicesBelowACall})/` },
    },
    {
      name: 'slices-below-a-call-know-no-call',
      comment: 'What a call uses does not use the call.',
      severity: 'error',
      from: { path: `^apps/execution/src/${slicesBelowACall}/`, pathNot: specFiles },
      to: { path: '^apps/execution/src/[^/]+/', pathNot: `^apps/execution/src/${slicesBelowACall}/` },
    },
    {
      name: 'kafkajs-only-behind-the-bus',
      comment:
        'kafkajs is unmaintained; it stays where a successor can replace it, and is patched. One file of the stack tool creates topics with it, and the finance consumer is an example for others.',
      severity: 'error',
      from: { pathNot: '^(libs/event-bus|tools/finance-consumer)/|^tools/stack/src/parts/kafka-admin\\.ts$' },
      to: { path: 'node_modules/kafkajs/' },
    },
    {
      name: 'acceptance-is-black-box',
      comment:
        'The acceptance suite knows the service by HTTP only, by the shapes of its answers, and by the client that strangers install.',
      severity: 'error',
      from: { path: '^tests/acceptance/' },
      to: { path: '^(apps|libs|tools)/', pathNot: '^libs/(contracts/(src|dist)/answers/|client/(src|dist)/index)' },
    },
    {
      name: 'dependencies-are-declared',
      comment:
        'A package that is only there by chance disappears with the next install. Test tools are declared at the root.',
      severity: 'error',
      from: { pathNot: specFiles },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], pathNot: 'node_modules/@types/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    combinedDependencies: true,
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@capability-router/source', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
    },
  },
};
