// Turns sources into programs without checking types: a twentieth of the work of the compiler.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, relative } from 'node:path';
import { buildInfoOf } from './projects.mjs';

/** As the tests transform them (`jest.config.mjs`). */
const jsc = {
  target: 'es2022',
  keepClassNames: true,
  parser: { syntax: 'typescript', decorators: true },
  transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
};

/**
 * @param {(done: number) => void} onDone called after each file
 * @throws Error whose message is swc's, with the place of the fault
 */
export async function transpile(root, projects, sources, onDone) {
  const { transform } = await import('@swc/core');
  // What the compiler remembers no longer agrees with what is there: it must build anew when it is asked next.
  for (const project of projects) rmSync(buildInfoOf(root, project), { force: true });
  for (const folder of new Set(sources.map(({ output }) => dirname(output)))) mkdirSync(folder, { recursive: true });
  let done = 0;
  const all = sources.map(async ({ source, output }) => {
    const { code, map } = await transform(readFileSync(source, 'utf8'), {
      swcrc: false,
      filename: source,
      sourceFileName: relative(dirname(output), source),
      sourceMaps: true,
      // Every start reads the maps, and the sources lie beside them.
      inlineSourcesContent: false,
      inputSourceMap: false,
      isModule: true,
      module: { type: 'es6' },
      jsc,
    });
    writeFileSync(output, `${code}//# sourceMappingURL=${basename(output)}.map\n`);
    writeFileSync(`${output}.map`, map);
    done += 1;
    onDone(done);
  });
  const failed = (await Promise.allSettled(all)).find(({ status }) => status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
