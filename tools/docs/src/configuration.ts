import { billingEnvSpec } from '@capability-router/billing';
import { capabilityRoutingEnvSpec } from '@capability-router/capability-routing';
import { executionEnvSpec } from '@capability-router/execution';
import { gatewayEnvSpec } from '@capability-router/gateway';
import { identityEnvSpec } from '@capability-router/identity';
import { registryEnvSpec } from '@capability-router/registry';
import { commonEnvSpec, describeEnv, peerEnvSpec, type EnvSpec } from '@capability-router/service-kit';
import { standaloneEnvSpec } from '@capability-router/standalone';
import { code, page, table } from './markdown.js';

interface Section {
  readonly title: string;
  readonly intro: string;
  readonly spec: EnvSpec;
}

const sections: readonly Section[] = [
  {
    title: 'standalone (`npm start`)',
    intro:
      'Nothing is required. The variables of the services below are honoured too, except their databases, addresses, Kafka, Redis and keys, which standalone provides itself.',
    spec: standaloneEnvSpec,
  },
  { title: 'Every service', intro: 'Read by each of the six services on the real stack.', spec: commonEnvSpec },
  {
    title: 'Addresses of the services',
    intro:
      'A service needs the addresses of those it calls; a call to one without an address fails and names the variable.',
    spec: peerEnvSpec,
  },
  { title: 'gateway', intro: 'The only public door.', spec: gatewayEnvSpec },
  { title: 'identity', intro: 'Accounts, API keys, trial agents.', spec: identityEnvSpec },
  { title: 'registry', intro: 'The catalogue, Discover and Inspect.', spec: registryEnvSpec },
  { title: 'execution', intro: 'Runs tools.', spec: executionEnvSpec },
  { title: 'capability-routing', intro: 'Capability (CAP) contracts.', spec: capabilityRoutingEnvSpec },
  { title: 'billing', intro: 'Holds, the ledger, the usage audit.', spec: billingEnvSpec },
];

/** Names of all settings there are. */
export const settingNames = (): readonly string[] => [...new Set(sections.flatMap(({ spec }) => Object.keys(spec)))];

export function configuration(): string {
  return page(
    'Configuration',
    'Everything is configured by environment variables, read and validated at start; bad values end the process, before anything starts, with a message that names every variable at fault. A variable whose name is nearly that of a setting and that nothing reads is told, since it does nothing. An empty value counts as absent. Units are the last part of a name (`_MS`, `_BYTES`); amounts are in credits.',
    ...sections.flatMap(({ title, intro, spec }) => [`## ${title}`, intro, variables(spec)]),
  );
}

function variables(spec: EnvSpec): string {
  return table(
    ['Variable', 'Meaning', 'Default', 'Required', 'Example'],
    describeEnv(spec).map((variable) => [
      code(variable.name),
      variable.description,
      variable.defaultValue === undefined ? '' : variable.defaultValue === '' ? 'empty' : code(variable.defaultValue),
      variable.required ? 'yes' : 'no',
      variable.example === undefined ? '' : code(variable.example),
    ]),
  );
}
