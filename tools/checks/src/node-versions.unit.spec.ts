import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import semver from 'semver';
import { workspaceRoot } from './workspace.js';

const read = (file: string): string => readFileSync(join(workspaceRoot, file), 'utf8');
const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
const setting = (name: string): string =>
  new RegExp(`^readonly ${name}=(\\S+)$`, 'm').exec(read('.ci/tools.sh'))?.[1] ?? '';

describe('the versions of Node', () => {
  it('are one in the images and in CI', () => {
    const images = [...read('docker/Dockerfile').matchAll(/^FROM node:([\d.]+)-/gm)].map(([, version]) => version);
    expect(images).toEqual([setting('NODE_VERSION')]);
    expect(semver.satisfies(setting('NODE_VERSION'), engines.node)).toBe(true);
  });

  it('begin where CI tries a first run', () => {
    expect(semver.minVersion(engines.node)?.version).toBe(setting('OLDEST_NODE_VERSION'));
  });
});
