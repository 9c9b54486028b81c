import type { operations, paths } from './generated/public-api.js';
import type { Answered, Send } from './methods.js';
import type { RequestSettings } from './options.js';

/** The lists that go on from a cursor, which new records do not shift. */
export interface CursorLists {
  readonly '/auth/usage/history/v2/summary': operations['feedUsage'];
  readonly '/auth/account/settlement-history': operations['listSettlements'];
  readonly '/auth/security-log': operations['listSecurityLog'];
}

type Query<List extends keyof CursorLists> = NonNullable<CursorLists[List]['parameters']['query']>;
type Item<List extends keyof CursorLists> =
  CursorLists[List]['responses'][200]['content']['application/json']['data']['items'][number];

export type CursorItems = <List extends keyof CursorLists & keyof paths>(
  list: List,
  query?: Query<List>,
  settings?: RequestSettings,
) => AsyncGenerator<Item<List>, void, undefined>;

interface Page {
  readonly data: {
    readonly items: readonly never[];
    readonly has_more?: boolean;
    readonly next_cursor?: string | null;
  };
}

export const everyItem = (get: Send<'get'>): CursorItems =>
  async function* items(
    list: keyof CursorLists,
    query?: Query<keyof CursorLists>,
    settings?: RequestSettings,
  ): AsyncGenerator<never, void, undefined> {
    const getPage = get as (path: string, init: object) => Promise<Answered<Page>>;
    let cursor: string | null | undefined = query?.cursor;
    do {
      const asked = { ...query, ...(typeof cursor === 'string' ? { cursor } : {}) };
      const { data: page } = await getPage(list, { ...settings, params: { query: asked } });
      yield* page.data.items;
      // A feed may give a cursor at its end, too: for whoever comes again later.
      cursor = page.data.has_more === false ? undefined : page.data.next_cursor;
    } while (typeof cursor === 'string');
  };
