// Runs the program of the image that the first argument names, in this process, so that it receives the signals.
const programs = {
  ...Object.fromEntries(
    ['gateway', 'registry', 'execution', 'capability-routing', 'billing', 'identity', 'standalone'].map((name) => [
      name,
      `../apps/${name}/dist/main.js`,
    ]),
  ),
  'first-accounts': '../apps/identity/dist/bootstrap/main.js',
  prepare: '../tools/stack/dist/prepare.js',
  caprouter: '../tools/cli/dist/main.js',
  'generate-secrets': '../tools/stack/dist/generate-secrets.js',
};

const [name, ...rest] = process.argv.slice(2);
const program = Object.hasOwn(programs, name ?? '') ? programs[name] : undefined;
if (program === undefined) {
  console.error(`usage: docker run capability-router <program>\nprograms: ${Object.keys(programs).join(', ')}`);
  process.exit(2);
}
process.argv = [process.argv[0], program, ...rest];
await import(program);
