/**
 * Prints fresh secrets of a deployment, to be kept by whoever runs it: `NAME=value` lines for docker compose, or with
 * `kubernetes` Secret manifests to which the database URLs have to be added. In the image: `generate-secrets`.
 */
import { randomBytes } from 'node:crypto';
import { contexts } from '@capability-router/contracts';
import { envPrefixOf, generateInternalKeys } from '@capability-router/service-kit';
import { stringify } from 'yaml';
import { servicesWithDatabase } from './parts/databases.js';

const passwordBytes = 24;
const linkKeyBytes = 32;
const credentialKeyBytes = 32;
const pepperBytes = 32;

const password = (): string => randomBytes(passwordBytes).toString('base64url');
const { signingKeys, jwks } = generateInternalKeys();
const linkKey = randomBytes(linkKeyBytes).toString('hex');
const pepper = randomBytes(pepperBytes).toString('hex');
const credentialKeys = `k1:${randomBytes(credentialKeyBytes).toString('hex')}`;

process.stdout.write(process.argv.includes('kubernetes') ? kubernetes() : compose());

function compose(): string {
  const lines = [
    `INTERNAL_JWKS=${JSON.stringify(jwks)}`,
    ...contexts.map((name) => `${envPrefixOf(name)}_SIGNING_KEY=${JSON.stringify(signingKeys[name])}`),
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
