import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

/** Both runtimes have the interface of this package. */
type Runtime = typeof import('onnxruntime-common');

/** The native one first, which is several times faster. */
const runtimes = ['onnxruntime-node', 'onnxruntime-web'];

/**
 * Neither is installed with this service: they take 140 to 290 MB, for the few who run a model in the process. They are
 * looked for in the `node_modules` of `folder`, or beside this service where there is none. Throws an error that says what
 * to install.
 */
export function loadRuntime(folder?: string, packages: readonly string[] = runtimes): Runtime {
  const load = createRequire(folder === undefined ? import.meta.url : join(resolve(folder), 'package.json'));
  const why: string[] = [];
  for (const name of packages) {
    try {
      return load(name) as Runtime;
    } catch (error) {
      why.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const where = folder === undefined ? 'beside this service' : `in ${resolve(folder)}`;
  throw new Error(
    `SEARCH_EMBEDDING_PROVIDER=onnx needs an ONNX runtime ${where}: install onnxruntime-node (native) or onnxruntime-web (WebAssembly) with npm, or name the folder where it is installed in SEARCH_EMBEDDING_ONNX_RUNTIME_DIR. ${why.join('; ')}`,
  );
}
