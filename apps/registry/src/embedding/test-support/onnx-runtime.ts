/**
 * The folder in whose `node_modules` onnxruntime-web is installed. Only `npm run test:stack` installs it, since it is
 * large. Throws where the variable is not set, so that a spec never passes without the runtime.
 */
export function onnxRuntimeFolder(): string {
  const folder = process.env['TEST_ONNX_RUNTIME'];
  if (folder === undefined) throw new Error('TEST_ONNX_RUNTIME is not set: npm run test:stack installs the runtime');
  return folder;
}
