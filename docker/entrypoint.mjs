// Runs the program of the image that the first argument names, in this process, so that it receives the signals.
import { existsSync } from 'node:fs';

const known = {
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
// Each image holds what it runs, and the one for operators parts of services.
const programs = Object.fromEntries(
  Object.entries(known).filter(([, file]) => existsSync(new URL(file, import.meta.url))),
);

const [name, ...rest] = process.argv.slice(2);
const program = Object.hasOwn(programs, name ?? '') ? programs[name] : undefined;
if (program === undefined) {
  const elsewhere = Object.hasOwn(known, name ?? '') ? `${name} is a program of another image. ` : '';
  console.error(
    `${elsewhere}usage: docker run <image> <program>\nprograms of this image: ${Object.keys(programs).join(', ')}`,
  );
  process.exit(2);
}
process.argv = [process.argv[0], program, ...rest];
await import(program);
