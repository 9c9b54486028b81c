import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { workspaceRoot } from './workspace.js';

const read = (file: string): string => readFileSync(join(workspaceRoot, file), 'utf8');

describe('the options with which Node is started', () => {
  it('let a service give memory back, in the images and by npm start', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } };
    const [, entrypoint] = /^ENTRYPOINT (\[.*\])$/m.exec(read('docker/Dockerfile')) ?? [];
    expect(scripts.start.split(' ')).toContain('--expose-gc');
    expect(JSON.parse(entrypoint ?? '[]')).toContain('--expose-gc');
  });
});
