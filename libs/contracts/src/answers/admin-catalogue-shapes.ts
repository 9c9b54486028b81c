/** Answers to administrators about providers, tools, sources, verification and contracts of capabilities. */
import { envelope, sha256 } from './common-shapes.js';
import {
  anyObject,
  anything,
  boolean,
  either,
  filledText,
  integer,
  listOf,
  oneOf,
  record,
  recordOf,
  text,
  timestamp,
} from './shapes.js';
import { verification } from './tool-shapes.js';

const texts = record({ en: filledText }, { zh: filledText });
const counts = recordOf(integer);

const change = record(
  {
    path: text,
    kind: oneOf('added', 'removed', 'changed'),
    impact: oneOf('breaking', 'compatible', 'cost', 'destination'),
    reason: filledText,
  },
  { before: anything, after: anything },
);
/** Told where a version replaces another. */
const verdict = { breaking: boolean, costs_more: boolean, changes_destination: boolean };
const toolDiff = { ...verdict, changes: listOf(change) };
const cut = { truncated: oneOf(true) };

/** A tool or a provider as a manifest writes it, which has a schema of its own (`GET /admin/v1/schemas/manifest`). */
const manifest = anyObject;
const definition = either(
  record({ id: filledText, result: oneOf('created', 'changed', 'unchanged'), definition_hash: sha256 }),
  record({ id: filledText, result: oneOf('refused'), message: filledText }),
);
const writtenTool = record(
  { tool_id: filledText, result: filledText },
  { version: integer, schema_hash: sha256, ...verdict, message: filledText },
);
const writtenProvider = record({
  provider_id: filledText,
  dry_run: boolean,
  provider: definition,
  categories: listOf(definition),
  tools: listOf(writtenTool),
  retired: listOf(filledText),
  refreshed: integer,
});
const providerManifest = record({ source: filledText, definition_hash: sha256, manifest }, { next_after: filledText });

const toolStatus = oneOf('published', 'retired', 'quarantined', 'draft', 'rejected');
const toolHead = { tool_id: filledText, provider_id: filledText, status: toolStatus, source: filledText };
const retiredBy = oneOf('source', 'operator');
const tools = record(
  {
    items: listOf(
      record(
        { ...toolHead, schema_hash: sha256, name: texts },
        {
          version: integer,
          changed_at: timestamp,
          retired_by: retiredBy,
          proposed_at: timestamp,
          replaces_version: integer,
          ...verdict,
        },
      ),
    ),
  },
  { next_after: filledText },
);
const proposal = record(
  { status: toolStatus, source: filledText, schema_hash: sha256, proposed_at: timestamp, manifest },
  { diff: record(toolDiff, cut) },
);
const tool = record(
  {
    ...toolHead,
    versions: listOf(
      record(
        { version: integer, schema_hash: sha256, source: filledText, published_at: timestamp },
        { superseded_at: timestamp },
      ),
    ),
  },
  { retired_by: retiredBy, version: integer, schema_hash: sha256, changed_at: timestamp, manifest, proposal },
);
const comparedTool = record({ tool_id: filledText, from: filledText, to: filledText, ...toolDiff }, cut);
const actedTool = record({ tool_id: filledText, status: toolStatus, changed: boolean }, { version: integer });

const toolVerification = record(
  {
    tool_id: filledText,
    tool_version: integer,
    verification,
    evidence: anyObject,
    requested: boolean,
    failures_in_row: integer,
  },
  { problem: filledText, next_run_at: timestamp },
);

const sources = record(
  {
    items: listOf(
      record(
        {
          source_id: filledText,
          kind: oneOf('openapi', 'mcp'),
          provider_id: filledText,
          counts,
          imported_at: timestamp,
        },
        { url: filledText, command: filledText },
      ),
    ),
  },
  { next_after: filledText },
);
const readSource = record(
  {
    source_id: filledText,
    kind: oneOf('openapi', 'mcp'),
    provider_id: filledText,
    dry_run: boolean,
    review: boolean,
    counts,
    tools: listOf(
      record(
        { key: filledText, result: filledText },
        {
          tool_id: filledText,
          version: integer,
          schema_hash: sha256,
          ...verdict,
          reason: filledText,
          notes: listOf(filledText),
        },
      ),
    ),
    absent: record({ action: oneOf('keep', 'retire'), tool_ids: listOf(filledText) }),
  },
  {
    document: record({ openapi: text, faults: listOf(filledText) }, { title: text, version: text, description: text }),
    provider: record({ id: filledText, result: filledText }),
  },
);

const bindingHead = { tool_id: filledText, status: oneOf('fits', 'unfit', 'unknown_tool') };
const contractFields = {
  required: {
    capability_id: filledText,
    contract_version: integer,
    schema_hash: sha256,
    name: texts,
    description: texts,
    parameters_schema: anyObject,
    result_schema: anyObject,
    candidates: listOf(
      record({ tool_id: filledText }, { parameters: anyObject, result: anyObject, sample_result: anything }),
    ),
  },
  optional: {
    effect: oneOf('read_only', 'idempotent', 'unsafe'),
    sample_parameters: anyObject,
    tags: listOf(record({ id: filledText }, { name: filledText, type: filledText, description: filledText })),
  },
};
const contracts = record(
  {
    items: listOf(
      record({
        capability_id: filledText,
        status: oneOf('published', 'retired'),
        source: filledText,
        contract_version: integer,
        schema_hash: sha256,
        name: texts,
        candidate_count: integer,
        published_at: timestamp,
      }),
    ),
  },
  { next_after: filledText },
);
const contract = record(
  {
    ...contractFields.required,
    bindings: listOf(record(bindingHead, { tool_version: integer, faults: listOf(filledText) })),
    versions: listOf(
      record({ contract_version: integer, schema_hash: sha256, published_at: timestamp }, { breaking: boolean }),
    ),
  },
  { ...contractFields.optional, status: oneOf('published', 'retired'), source: filledText },
);
const contractVersion = record({ ...contractFields.required, published_at: timestamp }, contractFields.optional);
const comparedContract = record(
  { capability_id: filledText, from: integer, to: integer, breaking: boolean, changes: listOf(change) },
  cut,
);
const writtenContract = record(
  {
    capability_id: filledText,
    dry_run: boolean,
    result: oneOf('created', 'changed', 'unchanged'),
    contract_version: integer,
    schema_hash: sha256,
    bindings: listOf(record(bindingHead, { tool_version: integer })),
  },
  { breaking: boolean, changes: listOf(change), ...cut },
);
const actedContract = record({
  capability_id: filledText,
  status: oneOf('published', 'retired'),
  contract_version: integer,
  changed: boolean,
});

export const adminCatalogueShapes = {
  WrittenProviderAnswer: envelope(writtenProvider),
  ProviderManifestAnswer: envelope(providerManifest),
  AdminToolsAnswer: envelope(tools),
  AdminToolAnswer: envelope(tool),
  ComparedToolAnswer: envelope(comparedTool),
  ActedToolAnswer: envelope(actedTool),
  ToolVerificationAnswer: envelope(toolVerification),
  RequestedVerificationAnswer: envelope(record({ tool_id: filledText, requested: oneOf(true) })),
  SourcesAnswer: envelope(sources),
  ReadSourceAnswer: envelope(readSource),
  ContractsAnswer: envelope(contracts),
  ContractAnswer: envelope(contract),
  ContractVersionAnswer: envelope(contractVersion),
  ComparedContractAnswer: envelope(comparedContract),
  WrittenContractAnswer: envelope(writtenContract),
  ActedContractAnswer: envelope(actedContract),
  /** A schema of JSON Schema. */
  ManifestSchemaAnswer: anyObject,
};
