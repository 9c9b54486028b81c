import type { EndStatesResponse, SearchEndStatesRequest } from '@capability-router/contracts';
import { appendToStream } from '@capability-router/event-store';
import { usageEventIdOf, type SearchId } from '@capability-router/kernel';
import type pg from 'pg';
import { readFirstEvents } from './end-states.sql.js';

/** Searches in one question. */
export const MAX_END_STATES = 500;
/** No relay carries this topic: its events are of no interest to other services. */
const UNPUBLISHED_TOPIC = 'registry.unpublished';

type EndState = EndStatesResponse['endStates'][string];

/**
 * How each search ended, by its id. One that has no event is ended by the question: what its answer would need is
 * then taken, so it can never be answered, and whoever asks may release what was held for it.
 */
export async function searchEndStates(pool: pg.Pool, { searches }: SearchEndStatesRequest): Promise<EndStatesResponse> {
  const asked = searches.map((search) => ({ ...search, streamId: usageEventIdOf(search.searchId as SearchId) }));
  const states = await statesOf(
    pool,
    asked.map(({ streamId }) => streamId),
  );
  for (const { streamId, accountId } of asked) {
    if (states.has(streamId)) continue;
    const abandoned = {
      type: 'SearchAbandoned',
      topic: UNPUBLISHED_TOPIC,
      partitionKey: accountId,
      data: { accountId },
    };
    const { status } = await appendToStream(pool, 'registry', streamId, 0, [abandoned]);
    // Somebody wrote the first event in between: then that event answers.
    const state = status === 'appended' ? 'interrupted' : (await statesOf(pool, [streamId])).get(streamId);
    if (state !== undefined) states.set(streamId, state);
  }
  return {
    endStates: Object.fromEntries(
      asked.flatMap(({ searchId, streamId }) => {
        const state = states.get(streamId);
        return state === undefined ? [] : [[searchId, state]];
      }),
    ),
  };
}

async function statesOf(pool: pg.Pool, streamIds: readonly string[]): Promise<Map<string, EndState>> {
  const rows = await readFirstEvents(pool, streamIds);
  return new Map(
    rows.map((row) => [
      row.stream_id,
      row.type !== 'ToolsSearched' ? 'interrupted' : row.success === true ? 'completed' : 'refused',
    ]),
  );
}
