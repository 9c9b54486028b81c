import { API_PREFIX } from '@capability-router/contracts';
import { gatewayRoutes } from '@capability-router/gateway';
import type { JsonObject } from '@capability-router/kernel';
import { openApiOf, ownRead } from './interface-document.js';
import { operations } from './operations.js';

const tags: Readonly<Record<string, string>> = {
  Tools: 'Find, inspect, probe and call tools.',
  Capabilities: 'Ask for a capability, and let the router choose among its providers.',
  Catalogue: 'The providers and categories of the catalogue.',
  Billing: 'Balance, usage audit, ledger, and how they agree.',
  'Provider credentials': 'Credentials of the account for providers that are called with its own.',
  Account: 'Keys, projects, consents and the security log of the account.',
  Agents: 'How an agent gets in without a human, and how a human claims its account.',
  OAuth: 'Tokens by the protocols of OAuth.',
  Service: 'The version of the interface, and this document.',
};

/** The part of the interface that callers use. */
export const publicOpenApi = (): JsonObject =>
  openApiOf({
    title: 'Capability router',
    summary: 'A tool network for software agents.',
    description:
      'Find a tool, call it, and pay only for a result worth charging for. Members that a client does not know are to be ignored; new ones may come.',
    prefix: API_PREFIX,
    tags,
    routes: gatewayRoutes.filter(({ path }) => path.startsWith(`${API_PREFIX}/`)),
    operations,
    ownPaths: {
      '/meta': ownRead('getMeta', 'Tells the version of the interface.', 'MetaAnswer'),
      '/openapi.json': ownRead('getOpenApi', 'Answers this document.', undefined),
    },
  });
