import type { ContextName, EndStatesResponse } from '@capability-router/contracts';
import type { ServiceClients } from '@capability-router/service-kit';
import type { HoldOwners } from './hold-sweeper.js';

const END_STATES_TIMEOUT_MS = 10_000;

/** Asks execution and registry over HTTP. Rejects where they answer anything but end states. */
export function holdOwnersOf(clients: ServiceClients): HoldOwners {
  const ask = async (owner: ContextName, path: string, request: object): Promise<EndStatesResponse> => {
    const answer = await clients[owner].request({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
      timeoutMs: END_STATES_TIMEOUT_MS,
      // An execution that is ended for the first asking is found ended by the second.
      repeatable: true,
    });
    if (answer.status !== 200) throw new Error(`${owner} answered ${answer.status} about end states`);
    return JSON.parse(answer.body.toString('utf8')) as EndStatesResponse;
  };
  return {
    askExecutions: (request) => ask('execution', '/internal/executions:end-states', request),
    askSearches: (request) => ask('registry', '/internal/searches:end-states', request),
  };
}
