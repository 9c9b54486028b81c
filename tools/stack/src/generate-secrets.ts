/**
 * Prints fresh secrets of a deployment, to be kept by whoever runs it: `NAME=value` lines for docker compose, or with
 * `kubernetes` Secret manifests to which the database URLs have to be added. In the image: `generate-secrets`.
 * `generate-secrets rotate` reads `INTERNAL_JWKS` and `<SERVICE>_SIGNING_KEY` of now, and prints the lines of each step in which new ones take their place.
 */
import { randomBytes } from 'node:crypto';
import { contexts } from '@capability-router/contracts';
import {
  envPrefixOf,
  generateInternalKeys,
  rotateInternalKeys,
  type InternalKeys,
  type SigningKeySet,
} from '@capability-router/service-kit';
import { stringify } from 'yaml';
import { runCommand } from './command-line.js';
import { servicesWithDatabase } from './parts/databases.js';
import { OperatorError } from './system/programs.js';

const passwordBytes = 24;
const linkKeyBytes = 32;
const credentialKeyBytes = 32;
const pepperBytes = 32;

const password = (): string => randomBytes(passwordBytes).toString('base64url');
const { signingKeys, jwks } = generateInternalKeys();
const linkKey = randomBytes(linkKeyBytes).toString('hex');
const pepper = randomBytes(pepperBytes).toString('hex');
const credentialKeys = `k1:${randomBytes(credentialKeyBytes).toString('hex')}`;

await runCommand(async () => {
  const [how] = process.argv.slice(2);
  process.stdout.write(how === 'rotate' ? rotation() : how === 'kubernetes' ? kubernetes() : compose());
});

function rotation(): string {
  const { known, signing, over } = rotateInternalKeys(keysOfNow());
  return [
    '# 1. Every service knows the new keys and signs with the old one: set these, and restart one replica after another.',
    keyLines(known),
    '# 2. Every service signs with the new key: set these, and restart one replica after another.',
    keyLines(signing),
    '# 3. The old keys are gone: set these when the runbook says so, and restart one replica after another.',
    keyLines(over),
    '',
  ].join('\n');
}

/** Throws an OperatorError that names the variables that are missing or no JSON. */
function keysOfNow(): InternalKeys<SigningKeySet> {
  const read = (name: string): unknown => {
    try {
      return JSON.parse(process.env[name] ?? '') as unknown;
    } catch {
      throw new OperatorError(
        `${name} is not set, or not JSON: rotate needs INTERNAL_JWKS and the …_SIGNING_KEY of every service, as they are now`,
      );
    }
  };
  const keys = contexts.map((name) => [name, read(`${envPrefixOf(name)}_SIGNING_KEY`)]);
  return {
    jwks: read('INTERNAL_JWKS'),
    signingKeys: Object.fromEntries(keys) as unknown,
  } as InternalKeys<SigningKeySet>;
}

function keyLines(keys: InternalKeys<object>): string {
  return [
    `INTERNAL_JWKS=${JSON.stringify(keys.jwks)}`,
    ...contexts.map((name) => `${envPrefixOf(name)}_SIGNING_KEY=${JSON.stringify(keys.signingKeys[name])}`),
  ].join('\n');
}

function compose(): string {
  const lines = [
    keyLines({ signingKeys, jwks }),
    `RESULT_LINK_KEY=${linkKey}`,
    `CREDENTIAL_KEYS=${credentialKeys}`,
    `IDENTITY_PEPPER=${pepper}`,
    `POSTGRES_PASSWORD=${password()}`,
    `REDIS_PASSWORD=${password()}`,
    ...servicesWithDatabase.flatMap((name) => [
      `${envPrefixOf(name)}_OWNER_PASSWORD=${password()}`,
      `${envPrefixOf(name)}_APP_PASSWORD=${password()}`,
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

function kubernetes(): string {
  const secrets = [
    secret('capability-router-shared', { INTERNAL_JWKS: JSON.stringify(jwks) }),
    ...contexts.map((name) =>
      secret(`capability-router-${name}`, {
        INTERNAL_SIGNING_KEY: JSON.stringify(signingKeys[name]),
        ...(name === 'execution' ? { RESULT_LINK_KEY: linkKey, CREDENTIAL_KEYS: credentialKeys } : {}),
        ...(name === 'identity' ? { IDENTITY_PEPPER: pepper } : {}),
      }),
    ),
  ];
  return secrets.join('---\n');
}

function secret(name: string, stringData: Readonly<Record<string, string>>): string {
  return stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, type: 'Opaque', stringData });
}
