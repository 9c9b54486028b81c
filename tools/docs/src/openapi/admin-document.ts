import { manifestSchema } from '@capability-router/registry';
import { isJsonObject, type JsonObject } from '@capability-router/kernel';
import { access } from './admin-operations/access.js';
import { accounts } from './admin-operations/accounts.js';
import { catalogue } from './admin-operations/catalogue.js';
import { credits } from './admin-operations/credits.js';
import { ADMIN_PREFIX, adminRoutes } from './admin-routes.js';
import { openApiOf, ownRead } from './interface-document.js';

const tags: Readonly<Record<string, string>> = {
  Accounts: 'Open accounts, decide what they may do, erase them.',
  Keys: 'Keys of accounts, their scopes and budgets.',
  Projects: 'Projects of accounts.',
  Limits: 'How often accounts may ask.',
  Programs: 'Programs and external issuers that act for accounts.',
  'Security log': 'Who did what.',
  Credits: 'Grants, refunds, corrections, and the ledger of all accounts.',
  Exceptions: 'What billing leaves to people.',
  Calls: 'Calls that are brought in, and outcomes that are revised.',
  Providers: 'Manifests, credentials and the state of providers.',
  Tools: 'Tools of the catalogue, their versions and their verification.',
  Sources: 'Documents and servers that tools are made of.',
  Capabilities: 'Contracts of capabilities.',
  Service: 'This document.',
};

/** The parts of manifests by the names that they have here. */
const manifests = { provider: 'ProviderManifest', tool: 'ToolManifest', category: 'CategoryManifest' } as const;

function manifestSchemas(): Readonly<Record<string, JsonObject>> {
  const text = JSON.stringify(manifestSchema.$defs).replaceAll(
    /"#\/\$defs\/(provider|tool|category)"/g,
    (_, part: keyof typeof manifests) => `"#/components/schemas/${manifests[part]}"`,
  );
  const parts = JSON.parse(text) as Record<keyof typeof manifests, JsonObject>;
  return {
    [manifests.provider]: parts.provider,
    [manifests.tool]: withOpenParameters(parts.tool),
    [manifests.category]: parts.category,
  };
}

/** The schema of a tool's parameters has any other keyword of JSON Schema as well. */
function withOpenParameters(tool: JsonObject): JsonObject {
  const properties = isJsonObject(tool['properties']) ? tool['properties'] : {};
  const { parameters_schema: schema } = properties;
  if (!isJsonObject(schema)) throw new Error('a manifest of a tool has no parameters_schema');
  return { ...tool, properties: { ...properties, parameters_schema: { ...schema, additionalProperties: true } } };
}

/** The part of the interface that administrators use. */
export const adminOpenApi = (): JsonObject =>
  openApiOf({
    title: 'Capability router: administration',
    summary: 'Accounts, credits, the catalogue and the security log of a deployment.',
    description:
      'A key with the scope `admin` may do all of it. Members that a client does not know are to be ignored; new ones may come.',
    prefix: ADMIN_PREFIX,
    tags,
    routes: adminRoutes,
    operations: { ...accounts, ...access, ...credits, ...catalogue },
    ownPaths: { '/openapi.json': ownRead('getAdminOpenApi', 'Answers this document.', undefined) },
    schemas: manifestSchemas(),
  });
