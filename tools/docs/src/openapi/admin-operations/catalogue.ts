/** Providers, tools, sources, verification and contracts of capabilities. */
import {
  CapabilityActionRequest,
  CapabilityDocument,
  ListCapabilitiesQuery,
  WriteQuery,
} from '@capability-router/capability-routing/requests';
import { CredentialPageQuery, RotateRequest } from '@capability-router/execution/requests';
import {
  DryRunQuery,
  ListToolsQuery,
  PageQuery,
  sourceRequestSchemas,
  ToolActionRequest,
} from '@capability-router/registry/requests';
import type { JsonObject } from '@capability-router/kernel';
import { credentialFields, importRows } from '../own-schemas.js';
import type { Operation, Operations } from '../operations/operation.js';

const documents = ['application/json', 'application/yaml'] as const;
const rows = ['application/x-ndjson', 'application/yaml'] as const;
const report = { types: ['application/x-ndjson'] } as const;

const toolAction = (verb: string, id: string, summary: string): Operation => ({
  id,
  tag: 'Tools',
  summary,
  answer: 'ActedToolAnswer',
  body: ToolActionRequest,
  bodyOrNull: true,
  closed: true,
  action: { parameter: 'toolId', verb },
  statuses: [409],
});
const contractAction = (verb: string, id: string, summary: string): Operation => ({
  id,
  tag: 'Capabilities',
  summary,
  answer: 'ActedContractAnswer',
  body: CapabilityActionRequest,
  bodyOrNull: true,
  closed: true,
  action: { parameter: 'capabilityId', verb },
  statuses: [409],
});
const source = (id: string, summary: string, body: object): Operation => ({
  id,
  tag: 'Sources',
  summary,
  answer: 'ReadSourceAnswer',
  body: body as JsonObject,
  statuses: [409],
});

export const catalogue: Operations = {
  'PUT /providers/{providerId}': {
    id: 'putProvider',
    tag: 'Providers',
    summary: 'Writes the whole manifest of a provider and its tools.',
    answer: 'WrittenProviderAnswer',
    query: DryRunQuery,
    body: { $ref: '#/components/schemas/ProviderManifest' },
    bodyTypes: documents,
    statuses: [409],
  },
  'GET /providers/{providerId}': {
    id: 'getProviderManifest',
    tag: 'Providers',
    summary: 'The published state of a provider as a manifest, in pages of its tools.',
    answer: 'ProviderManifestAnswer',
    query: PageQuery,
  },
  'GET /providers/{providerId}/credentials': {
    id: 'getDeploymentCredentials',
    tag: 'Providers',
    summary: 'Which fields of the credentials for a provider are set, without their values.',
    answer: 'DeploymentCredentialsAnswer',
  },
  'PUT /providers/{providerId}/credentials': {
    id: 'setDeploymentCredentials',
    tag: 'Providers',
    summary: 'Sets all fields of the credentials for a provider.',
    answer: 'DeploymentCredentialsAnswer',
    body: credentialFields,
    statuses: [409],
  },
  'DELETE /providers/{providerId}/credentials': {
    id: 'deleteDeploymentCredentials',
    tag: 'Providers',
    summary: 'Forgets the credentials for a provider.',
    answer: 'DeletedCredentialsAnswer',
  },
  'GET /provider-credentials': {
    id: 'listDeploymentCredentials',
    tag: 'Providers',
    summary: 'The credentials of the deployment, and by which keys all credentials are sealed.',
    answer: 'AllCredentialsAnswer',
    query: CredentialPageQuery,
  },
  'POST /provider-credentials:rotate': {
    id: 'rotateSealingKey',
    tag: 'Providers',
    summary: 'Seals anew, with the current key, what is sealed with another.',
    answer: 'RotatedCredentialsAnswer',
    body: RotateRequest,
    bodyOrNull: true,
    closed: true,
  },
  'GET /provider-breakers': {
    id: 'listProviderBreakers',
    tag: 'Providers',
    summary: 'The providers that the replica which answers leaves alone.',
    answer: 'ProviderBreakersAnswer',
  },
  'POST /catalog:import': {
    id: 'importCatalogue',
    tag: 'Providers',
    summary: 'Streams rows of manifests in, and a line of report for each out.',
    answer: report,
    query: DryRunQuery,
    body: importRows,
    bodyTypes: rows,
  },
  'GET /schemas/manifest': {
    id: 'getManifestSchema',
    tag: 'Providers',
    summary: 'The JSON Schema by which manifests are checked.',
    answer: { types: ['application/schema+json'] },
  },
  'GET /tools': {
    id: 'listTools',
    tag: 'Tools',
    summary: 'Tools of one status, in the order of their ids.',
    answer: 'AdminToolsAnswer',
    query: ListToolsQuery,
  },
  'GET /tools/{toolId}': {
    id: 'getTool',
    tag: 'Tools',
    summary: 'One tool: its manifest, its versions, and what waits for a decision.',
    answer: 'AdminToolAnswer',
  },
  'GET /tools/{toolId}/versions/{from}/diff/{to}': {
    id: 'compareTool',
    tag: 'Tools',
    summary: 'The changes for callers from one version to another.',
    answer: 'ComparedToolAnswer',
  },
  'POST /tools/{toolIdAndAction}': [
    toolAction('publish', 'publishTool', 'Publishes a draft.'),
    toolAction('approve', 'approveTool', 'Publishes what waits for approval.'),
    toolAction('reject', 'rejectTool', 'Refuses what waits for a decision.'),
    toolAction('retire', 'retireTool', 'Takes a tool out of the catalogue.'),
    toolAction('restore', 'restoreTool', 'Brings a retired tool back.'),
  ],
  'GET /verifications/{toolId}': {
    id: 'getVerification',
    tag: 'Tools',
    summary: 'What verification found about a tool, with its evidence.',
    answer: 'ToolVerificationAnswer',
  },
  'POST /verifications/{toolId}': {
    id: 'requestVerification',
    tag: 'Tools',
    summary: 'Has a tool verified within seconds.',
    answer: 'RequestedVerificationAnswer',
    success: 202,
  },
  'GET /sources': {
    id: 'listSources',
    tag: 'Sources',
    summary: 'The documents and servers that tools come from.',
    answer: 'SourcesAnswer',
    query: PageQuery,
  },
  'POST /sources/openapi': source(
    'readOpenApi',
    'Makes tools of the operations of an OpenAPI document.',
    sourceRequestSchemas.openapi,
  ),
  'POST /sources/mcp': source('readMcp', 'Makes tools of the tools of an MCP server.', sourceRequestSchemas.mcp),
  'POST /sources/{sourceIdAndAction}': {
    ...source('refreshSource', 'Reads a source again as it was read last.', sourceRequestSchemas.refresh),
    action: { parameter: 'sourceId', verb: 'refresh' },
  },
  'GET /capabilities': {
    id: 'listContracts',
    tag: 'Capabilities',
    summary: 'Contracts of one status, in the order of their ids.',
    answer: 'ContractsAnswer',
    query: ListCapabilitiesQuery,
  },
  'PUT /capabilities/{capabilityId}': {
    id: 'putContract',
    tag: 'Capabilities',
    summary: 'Writes the whole contract of a capability.',
    answer: 'WrittenContractAnswer',
    query: WriteQuery,
    body: CapabilityDocument,
    closed: true,
    bodyTypes: documents,
    statuses: [409],
  },
  'POST /capabilities:import': {
    id: 'importContracts',
    tag: 'Capabilities',
    summary: 'Streams contracts in, and a line of report for each out.',
    answer: report,
    query: WriteQuery,
    body: importRows,
    bodyTypes: rows,
  },
  'POST /capabilities/{capabilityIdAndAction}': [
    contractAction('retire', 'retireContract', 'Takes a capability out of use.'),
    contractAction('restore', 'restoreContract', 'Brings a retired capability back.'),
  ],
  'GET /capabilities/{capabilityId}': {
    id: 'getContract',
    tag: 'Capabilities',
    summary: 'One contract with its mappings, whether its bindings fit, and its versions.',
    answer: 'ContractAnswer',
  },
  'GET /capabilities/{capabilityId}/versions/{version}': {
    id: 'getContractVersion',
    tag: 'Capabilities',
    summary: 'A contract as it was in one version.',
    answer: 'ContractVersionAnswer',
  },
  'GET /capabilities/{capabilityId}/versions/{from}/diff/{to}': {
    id: 'compareContract',
    tag: 'Capabilities',
    summary: 'The changes for callers from one version to another.',
    answer: 'ComparedContractAnswer',
  },
};
