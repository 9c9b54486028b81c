import { cacheModeSchema } from '@capability-router/execution/requests';
import type { JsonObject } from '@capability-router/kernel';
import { portablePattern } from './portable-pattern.js';

export interface Parameter extends JsonObject {
  readonly name: string;
  readonly in: 'query' | 'header' | 'path';
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonObject;
}

export const toolIdInQuery: Parameter = {
  name: 'tool_id',
  in: 'query',
  required: false,
  description: 'The tool, where the body does not name it.',
  schema: { type: 'string' },
};

const keyText: JsonObject = { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' };

export const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Of this account, one call is made with it: whoever repeats the request gets the same answer.',
  schema: keyText,
};

export const idempotencyKeyOfCommand: Parameter = {
  ...idempotencyKey,
  required: true,
  description: 'A new one for each command: whoever repeats the request moves nothing twice.',
};

export const keyOfCall: Parameter = {
  name: 'key',
  in: 'query',
  required: true,
  description: 'The idempotency key that the call was sent with.',
  schema: keyText,
};

export const cacheMode: Parameter = {
  name: 'X-Service-Cache-Mode',
  in: 'header',
  required: false,
  description: '`bypass` calls the provider even where a result of before would be answered.',
  schema: cacheModeSchema,
};

const account: JsonObject = { type: 'string', pattern: '^acc_[0-9a-f]{32}$' };
const versionOfTool = {
  description: 'Number of a version; `proposal` for the one that waits.',
  schema: { type: 'string', pattern: '^([1-9]\\d{0,8}|proposal)$' },
};

/** The form of each part of a path, by its name in the route. */
const pathParts: Readonly<Record<string, { readonly description: string; readonly schema: JsonObject }>> = {
  executionId: { description: 'As the call was answered.', schema: { type: 'string', pattern: '^exec_[0-9a-f]{32}$' } },
  token: { description: 'The end of the link in a shortened answer.', schema: { type: 'string' } },
  capabilityId: {
    description: 'Id of the capability.',
    schema: { type: 'string', maxLength: 200, pattern: portablePattern(/^(?=.*\S)[^\p{Cc}\p{Cs}]+$/u) },
  },
  eventId: { description: 'Id of the usage event.', schema: { type: 'string', format: 'uuid' } },
  entryId: { description: 'Id of the entry.', schema: { type: 'string' } },
  providerId: { description: 'Id of the provider.', schema: { type: 'string' } },
  apiKeyId: { description: 'Id of the key, which is not the key itself.', schema: { type: 'string', format: 'uuid' } },
  consentId: { description: 'Id of the consent.', schema: { type: 'string', format: 'uuid' } },
  accountId: { description: 'Id of the account.', schema: account },
  clientId: { description: 'Id of the program.', schema: { type: 'string', pattern: '^client_[0-9a-f]{32}$' } },
  externalSubjectId: { description: 'Id of the link.', schema: { type: 'string', format: 'uuid' } },
  exceptionId: { description: 'Id of the exception.', schema: { type: 'string', pattern: '^xcp_[0-9a-f]{32}$' } },
  name: { description: 'Name of the plan.', schema: { type: 'string', maxLength: 200 } },
  toolId: { description: 'Id of the tool.', schema: { type: 'string', maxLength: 200 } },
  sourceId: { description: 'Id of the source.', schema: { type: 'string', maxLength: 200 } },
  version: { description: 'Number of the version.', schema: { type: 'string', maxLength: 20 } },
  from: versionOfTool,
  to: versionOfTool,
  projectId: { description: 'Id of the project.', schema: { type: 'string', format: 'uuid' } },
};

/** A part of the path. Throws for one that is not described here. */
export function pathParameter(part: string, name: string): Parameter {
  const known = pathParts[part];
  if (known === undefined) throw new Error(`say in parameters.ts what "${part}" of a path is`);
  return { name, in: 'path', required: true, ...known };
}

/** By its name, what a parameter of a query selects; the same name says the same in every list. */
const queryMeanings: Readonly<Record<string, string>> = {
  query: 'Words that names and descriptions are searched for.',
  skip: 'Items of the list that are passed over.',
  limit: 'Items of an answer, at most; of a summary, its largest amounts.',
  lang: 'Language of names and descriptions.',
  run_id: 'The run that a delegation token is held to.',
  provider_id: 'What is of this provider; the one that a delegation token is held to.',
  page: 'Number of the page, from 1 on.',
  page_size: 'Items of a page.',
  include_details: 'With the details of each event.',
  summary: 'A summary of what was selected, in place of the items.',
  bucket: 'Length of the times by which the summary counts.',
  start_date: 'Begin of the time, inclusive: a date, or a time of ISO 8601.',
  end_date: 'End of the time: a date, which is inclusive, or a time of ISO 8601.',
  event_type: 'Events of this type.',
  kind: 'What is of this kind.',
  success: 'Events with or without success.',
  billable_success: 'Events with or without a result worth charging for.',
  outcome: 'Events with this outcome.',
  reason_code: 'Events with this reason code.',
  has_execution_outcome: 'Events with or without an outcome of a call.',
  charge_outcome: 'Events that were charged, or not, in this way.',
  anomaly: 'Events that contradict the ledger in this way.',
  search_id: 'Events that belong to this search.',
  execution_id: 'The events of this call.',
  api_key_id: 'Events of this key.',
  oauth_client_id: 'Events of this program.',
  project_id: 'Events of this project.',
  credential_type: 'Events of credentials of this type.',
  min_credits: 'From this amount of credits on.',
  max_credits: 'Up to this amount of credits.',
  cursor: 'The cursor that the page before ended with.',
  entry_type: 'Entries of this type.',
  direction: 'Entries that gave credits or took them.',
  scope: 'The history of the account alone, or all entries.',
  after: 'What the page before ended with.',
  before: 'What the page before ended with.',
  action: 'Entries of this action.',
  from: 'Begin of the time, inclusive, in ISO 8601.',
  to: 'End of the time, exclusive, in ISO 8601.',
  account_id: 'What happened to this account, or belongs to it.',
  actor: 'What was done by this account.',
  state: 'What is in this state.',
  status: 'What has this status.',
  name: 'Accounts whose names begin with this, whatever its case.',
  email: 'The account of this whole address, whatever its case.',
  issuer: 'The name of an external issuer, or its `iss`; with `subject`.',
  subject: 'The subject as tokens of the issuer have it.',
  format: 'Lines of JSON, or rows of CSV.',
  dry_run: 'Tells what would happen, and writes nothing.',
  allow_breaking: 'Takes a change that may break callers.',
  categories: 'Categories, with commas between them.',
  sort_by: 'The order of the list.',
  sort_order: 'From which end on.',
};

/** Forms that the service judges after the rules of the query, and refuses by a code of its own. */
const queryForms: Readonly<Record<string, JsonObject>> = {
  // Judged after the class, and refused with 400.
  min_credits: { type: 'number', minimum: 0 },
  max_credits: { type: 'number', minimum: 0 },
  bucket: { type: 'string', enum: ['hour', 'day', 'week'] },
  direction: { type: 'string', enum: ['consume', 'grant', 'any'] },
};

function formOf(name: string, schema: JsonObject): JsonObject {
  const form = queryForms[name];
  if (form === undefined) return schema;
  const { default: given } = schema;
  return given === undefined ? form : { ...form, default: given };
}

/** A parameter of a query. Throws for one that is not described here. */
export function queryParameter(name: string, required: boolean, schema: JsonObject): Parameter {
  const description = queryMeanings[name];
  if (description === undefined) throw new Error(`say in parameters.ts what "${name}" of a query selects`);
  // A list of texts is one text with commas between them.
  const style = schema['type'] === 'array' ? { style: 'form', explode: false } : {};
  return { name, in: 'query', required, description, schema: formOf(name, schema), ...style };
}
