import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadRuntime } from './load-runtime.js';

describe('the ONNX runtime', () => {
  let top: string;
  const install = async (folder: string, name: string): Promise<void> => {
    const target = join(top, folder, 'node_modules', name);
    await mkdir(target, { recursive: true });
    await writeFile(join(target, 'index.js'), `exports.name = '${name}';`);
  };

  beforeAll(async () => {
    top = await mkdtemp(join(tmpdir(), 'onnx-runtime-'));
    await install('web', 'onnxruntime-web');
    await install('both', 'onnxruntime-web');
    await install('both', 'onnxruntime-node');
  });
  afterAll(() => rm(top, { recursive: true }));

  it('is named with the way to install it where there is none', () => {
    expect(() => loadRuntime(undefined, ['onnxruntime-of-nobody'])).toThrow(
      /beside this service: install onnxruntime-node \(native\) or onnxruntime-web .* with npm, .* onnxruntime-of-nobody: /,
    );
    const empty = join(top, 'empty');
    expect(() => loadRuntime(empty)).toThrow(`needs an ONNX runtime in ${empty}: install`);
  });

  it('is taken from the folder that is named, the native one first', () => {
    expect(loadRuntime(join(top, 'web'))).toMatchObject({ name: 'onnxruntime-web' });
    expect(loadRuntime(join(top, 'both'))).toMatchObject({ name: 'onnxruntime-node' });
  });
});
