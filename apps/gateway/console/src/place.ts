/** The names of the views, in the order of the navigation. */
export const viewNames = ['credits', 'usage', 'ledger', 'keys', 'search'] as const;
export type ViewName = (typeof viewNames)[number];

/** Where the reader is: a view, the id of one thing in it, and what its list is narrowed to. It is the fragment of the address. */
export interface Place {
  readonly view: ViewName;
  readonly id?: string;
  readonly query: Readonly<Record<string, string>>;
}

/** A fragment that leads nowhere leads to the first view. */
export function placeOf(fragment: string): Place {
  const [path = '', search = ''] = fragment.replace(/^#/, '').split('?', 2);
  const [name = '', id = ''] = path.split('/', 2);
  const view = viewNames.find((known) => known === name) ?? viewNames[0];
  const query = Object.fromEntries(new URLSearchParams(search));
  return { view, query, ...(id === '' ? {} : { id: decoded(id) }) };
}

export function fragmentOf({ view, id, query }: Place): string {
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString();
  return `#${view}${id === undefined ? '' : `/${encodeURIComponent(id)}`}${search === '' ? '' : `?${search}`}`;
}

/** The number of the page in a query, 1 where there is none. */
export function pageOf(query: Place['query']): number {
  const page = Number(query['page']);
  return Number.isSafeInteger(page) && page > 0 ? page : 1;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
