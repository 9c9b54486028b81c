import { ApiFailure } from './api-failure.js';
import type { Api } from './api.js';
import { creditsView } from './credits-view.js';
import { button, element, viewHeading, type Child } from './elements.js';
import { failurePanel } from './failure-panel.js';
import { keysView } from './keys-view.js';
import { ledgerView } from './ledger-view.js';
import { placeOf, viewNames, type ViewName } from './place.js';
import { searchView } from './search-view.js';
import { signIn } from './sign-in.js';
import { usageView } from './usage-view.js';
import type { Memory, View } from './view.js';

const views: Readonly<Record<ViewName, { readonly title: string; readonly view: View }>> = {
  credits: { title: 'Credits', view: creditsView },
  usage: { title: 'Usage', view: usageView },
  ledger: { title: 'Ledger', view: ledgerView },
  keys: { title: 'Keys', view: keysView },
  search: { title: 'Search', view: searchView },
};

const page = document.getElementById('console') ?? document.body;

/** Ends what the one who was signed in before had begun to show. */
let leave: () => void = () => undefined;

function showSignIn(reason?: string): void {
  leave();
  closeQuestions();
  page.replaceChildren(signIn(showViews, reason));
  page.querySelector('input')?.focus();
}

function showViews(api: Api): void {
  const memory: Memory = {};
  const main = element('main', {});
  const navigation = element('nav', { 'aria-label': 'Views' });
  // A view that is read for long is not shown any more when the reader has gone on.
  let visits = 0;

  const show = async (): Promise<void> => {
    visits += 1;
    const visit = visits;
    closeQuestions();
    const place = placeOf(location.hash);
    const { title, view } = views[place.view];
    document.title = `${title}: Capability router`;
    navigation.replaceChildren(...links(place.view));
    main.setAttribute('aria-busy', 'true');
    const again = (): void => {
      if (visit === visits) void show();
    };
    const signOut = (reason: string): void => {
      if (visit === visits) showSignIn(reason);
    };
    let parts: readonly Child[];
    try {
      parts = await view({ api, place, memory, again, signOut });
    } catch (error) {
      if (error instanceof ApiFailure && error.told.status === 401) return signOut(error.message);
      const isWhole = place.id === undefined && Object.keys(place.query).length === 0;
      const back = isWhole ? [] : [element('p', {}, element('a', { href: `#${place.view}` }, `Back to ${title}`))];
      parts = [viewHeading(title), failurePanel(error, again), ...back];
    }
    if (visit !== visits) return;
    main.replaceChildren(...parts);
    main.removeAttribute('aria-busy');
    main.querySelector('h1')?.focus({ preventScroll: true });
    scrollTo(0, 0);
  };

  const onMove = (): void => void show();
  addEventListener('hashchange', onMove);
  leave = () => {
    visits += 1;
    removeEventListener('hashchange', onMove);
    document.title = 'Capability router: console';
  };
  const signedIn = element('span', { class: 'signed-in' }, `Key …${api.keyEnding}`);
  const out = button('Sign out', () => showSignIn(), { class: 'plain' });
  page.replaceChildren(element('header', {}, navigation, element('div', {}, signedIn, ' ', out)), main);
  void show();
}

const links = (current: ViewName): readonly Child[] =>
  viewNames.map((name) =>
    element('a', { href: `#${name}`, ...(name === current ? { 'aria-current': 'page' } : {}) }, views[name].title),
  );

/** Nobody answers a question of a view that is not shown any more. A new key that nobody has read yet stays. */
function closeQuestions(): void {
  for (const dialog of document.querySelectorAll<HTMLDialogElement>('dialog:not(.keeps)')) dialog.close('no');
}

// A browser may keep the page as it is for the button that leads back to it: not with the key in it.
addEventListener('pagehide', () => showSignIn());

showSignIn();
