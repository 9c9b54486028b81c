/** Find, inspect, probe and call tools, and ask for capabilities. */
import {
  CapabilitiesQuery,
  CapabilityDetailQuery,
  CapabilityQueryBody,
} from '@capability-router/capability-routing/requests';
import { callSchema } from '@capability-router/execution/requests';
import {
  CategoriesQuery,
  InspectRequest,
  ProbeRequest,
  ProvidersQuery,
  SearchRequest,
} from '@capability-router/registry/requests';
import { cacheMode, idempotencyKey, keyOfCall, toolIdInQuery } from '../parameters.js';
import type { Operations } from './operation.js';

const PAID = [402, 404, 409];

export const tools: Operations = {
  'POST /search': {
    id: 'searchTools',
    tag: 'Tools',
    summary: 'Finds tools for a need, ranked, with prices and evidence.',
    answer: 'SearchAnswer',
    body: SearchRequest,
    statuses: [402],
  },
  'POST /tools/by-ids': {
    id: 'inspectTools',
    tag: 'Tools',
    summary: 'Tells everything about tools that a search named.',
    answer: 'InspectAnswer',
    body: InspectRequest,
  },
  'POST /tools/probe': {
    id: 'probeTool',
    tag: 'Tools',
    summary: 'Tells before a call whether it would be accepted and what it would cost.',
    answer: 'ProbeAnswer',
    body: ProbeRequest,
    parameters: [toolIdInQuery],
    statuses: [404],
  },
  'POST /tools/execute': {
    id: 'executeTool',
    tag: 'Tools',
    summary: 'Calls a tool. Credits are paid only for a result worth charging for.',
    answer: 'ExecuteAnswer',
    body: callSchema,
    parameters: [toolIdInQuery, idempotencyKey, cacheMode],
    statuses: PAID,
  },
  'GET /tools/executions/by-idempotency-key': {
    id: 'getExecutionByIdempotencyKey',
    tag: 'Tools',
    summary: 'Tells what became of the call that was sent with an idempotency key.',
    answer: 'ExecutionLookUpAnswer',
    parameters: [keyOfCall],
    statuses: [404],
  },
  'GET /tools/executions/{executionId}': {
    id: 'getExecution',
    tag: 'Tools',
    summary: 'Tells what became of a call.',
    answer: 'ExecutionLookUpAnswer',
    statuses: [422],
  },
  'GET /results/{token}': {
    id: 'getResult',
    tag: 'Tools',
    summary: 'The whole of a result that was answered shortened, in parts where `Range` asks for them.',
    answer: { types: ['application/octet-stream'] },
    statuses: [206, 304, 410, 416],
  },
  'HEAD /results/{token}': {
    id: 'headResult',
    tag: 'Tools',
    summary: 'Tells how large such a result is.',
    answer: { types: ['application/octet-stream'] },
    statuses: [304, 410],
  },
  'POST /capabilities/query': {
    id: 'queryCapability',
    tag: 'Capabilities',
    summary: 'Serves a capability by the best of its providers, within a budget.',
    answer: 'CapabilityAnswer',
    body: CapabilityQueryBody,
    closed: true,
    parameters: [idempotencyKey],
    statuses: PAID,
  },
  'GET /capabilities': {
    id: 'listCapabilities',
    tag: 'Capabilities',
    summary: 'The capabilities that can be asked for.',
    answer: 'CapabilitiesAnswer',
    query: CapabilitiesQuery,
  },
  'GET /capabilities/{capabilityId}': {
    id: 'getCapability',
    tag: 'Capabilities',
    summary: 'One capability: its parameters, its providers, and what they cost.',
    answer: 'CapabilityDetailAnswer',
    query: CapabilityDetailQuery,
    statuses: [402],
  },
  'GET /providers': {
    id: 'listProviders',
    tag: 'Catalogue',
    summary: 'The providers of the catalogue.',
    answer: 'ProvidersAnswer',
    query: ProvidersQuery,
  },
  'GET /providers/categories': {
    id: 'listCategories',
    tag: 'Catalogue',
    summary: 'The categories of the catalogue.',
    answer: 'CategoriesAnswer',
    query: CategoriesQuery,
  },
};
