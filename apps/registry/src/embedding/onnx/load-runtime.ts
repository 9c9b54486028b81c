type Runtime = typeof import('onnxruntime-web');

/** The native one first, which is several times faster; both have the same interface. */
const runtimes = ['onnxruntime-node', 'onnxruntime-web'];

/**
 * Neither is installed with this service: they take 140 to 290 MB, for the few who run a model in the process. Throws an
 * error that says what to install.
 */
export async function loadRuntime(packages: readonly string[] = runtimes): Promise<Runtime> {
  const why: string[] = [];
  for (const name of packages) {
    try {
      return (await import(name)) as Runtime;
    } catch (error) {
      why.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new Error(
    `SEARCH_EMBEDDING_PROVIDER=onnx needs an ONNX runtime beside this service: install onnxruntime-node (native) or onnxruntime-web (WebAssembly) with npm. ${why.join('; ')}`,
  );
}
