/** `npm run docs`: writes the generated documents; with `--check` says which of them are stale and exits with code 1. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { manifestSchema } from '@capability-router/registry';
import { format } from 'oxfmt';
import { clientTypes, clientTypesFile } from './client-types.js';
import { errorPage, reasonCodePage } from './codes.js';
import { configuration } from './configuration.js';
import { dashboardDocuments } from './dashboards/dashboards.js';
import { jdbcSinkConfigurations } from './jdbc-sink.js';
import { kafkaTopicResources, kafkaTopicScript } from './kafka-topics.js';
import { asyncApiDocument, eventSchemaDocuments } from './public-events.js';
import { adminOpenApi } from './openapi/admin-document.js';
import { publicOpenApi } from './openapi/public-document.js';
import { differencesFrom } from './openapi/specification.js';
import { topicTable } from './topics.js';
import { wasmModules } from './wasm.js';
import { workspaceRoot } from './workspace.js';

const check = process.argv.includes('--check');
const openApi = JSON.stringify(publicOpenApi());

const documents: Readonly<Record<string, () => string | Promise<string>>> = {
  'docs/configuration.md': configuration,
  'docs/errors.md': errorPage,
  'docs/reason-codes.md': reasonCodePage,
  'docs/topics.md': topicTable,
  'docs/schemas/manifest.schema.json': () => JSON.stringify(manifestSchema),
  'docs/asyncapi.yaml': asyncApiDocument,
  ...eventSchemaDocuments(),
  'apps/gateway/openapi/public.json': () => openApi,
  'apps/gateway/openapi/admin.json': () => JSON.stringify(adminOpenApi()),
  [clientTypesFile]: () => clientTypes(openApi, check),
  ...wasmModules,
  'deploy/kafka/topics.yaml': kafkaTopicResources,
  'deploy/kafka/create-topics.sh': kafkaTopicScript,
  ...jdbcSinkConfigurations(),
  ...dashboardDocuments(),
};

/** Files whose ending is not named here are not formatted. */
const formatted: ReadonlySet<string> = new Set(['.avsc', '.json', '.md', '.yaml']);

const stale: string[] = [];
for (const [path, render] of Object.entries(documents)) {
  const file = join(workspaceRoot, path);
  // As `.oxfmtrc.json` has it, which `npm run check` holds every file to.
  const text = formatted.has(extname(path))
    ? (await format(path, await render(), { printWidth: 120, singleQuote: true })).code
    : await render();
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  stale.push(path);
  if (check) continue;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
for (const path of stale) console.log(check ? `${path} is stale: run npm run docs` : `wrote ${path}`);
if (check && stale.length > 0) process.exitCode = 1;

// CI has the specification beside the project, users do not.
const specification = join(workspaceRoot, '../shared/spec');
if (check && !existsSync(specification)) {
  console.log(`the tables of the specification: NOT RUN, there is no ${specification}`);
} else if (check) {
  const texts = ['api.md', 'gaps.md'].map((name) => readFileSync(join(specification, name), 'utf8'));
  const differences = differencesFrom(texts, publicOpenApi());
  for (const difference of differences) console.log(`the specification says otherwise: ${difference}`);
  if (differences.length > 0) process.exitCode = 1;
}
