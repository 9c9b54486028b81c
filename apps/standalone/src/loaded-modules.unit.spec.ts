import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

/**
 * A start of standalone loads as many and no more: each costs it about a third of a millisecond of processor time. What
 * raises it is code of ours for what every deployment has, such as projects, plans, links of subjects, the security log, the ledger of all accounts, metrics, the bounds of connections and how
 * they are secured, what errors tell a model, how times are read, the reference at /docs and the page at /console;
 * never a package.
 */
const MAX_MODULES = 3_569;
/** Milliseconds; it is started on a machine under load. */
const TIMEOUT_MS = 60_000;

const listLoadedModules = fileURLToPath(new URL('../dist/test-support/list-loaded-modules.js', import.meta.url));

/**
 * The packages that every start needs. One that only an option or a request needs is not among them: it is loaded by
 * `import()` where it is used first, or stands behind an entry of its own, as the clients of Kafka, Redis and HTTP do.
 */
const neededByEveryStart = [
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/microservices',
  '@nestjs/platform-fastify',
  'ajv',
  'ajv-formats',
  'birpc',
  'class-transformer',
  'class-validator',
  'cockatiel',
  'envalid',
  'fastify',
  'ipaddr.js',
  'jose',
  'js-yaml',
  'json-p3',
  'leven',
  'lru-cache',
  'oauth4webapi',
  'papaparse',
  'pg',
  'pino',
  'prom-client',
  're2js',
  'reflect-metadata',
  'rxjs',
  'typeorm',
  'wink-porter2-stemmer',
];

describe('what a start loads', () => {
  it(
    'are the packages that every start needs, and few modules',
    async () => {
      const { stdout } = await promisify(execFile)(process.execPath, [listLoadedModules]);
      const { modules, packages } = JSON.parse(stdout) as { modules: number; packages: string[] };
      expect(packages).toEqual(neededByEveryStart);
      expect(modules).toBeLessThanOrEqual(MAX_MODULES);
    },
    TIMEOUT_MS,
  );
});
