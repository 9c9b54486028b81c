import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

const run = new URL('./run.js', import.meta.url).href;
const script = `
  import Module from 'node:module';
  await import('${run}');
  const names = Object.keys(Module._cache).flatMap((path) => /.*node_modules.((?:@[^/]+.)?[^/]+)/.exec(path)?.[1] ?? []);
  console.log(JSON.stringify([...new Set(names)]));
`;

it('loads the parser of command lines and no other package, until a command needs one', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  expect(JSON.parse(stdout)).toEqual(['commander']);
});
