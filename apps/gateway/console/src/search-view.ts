import { credits } from './amounts.js';
import { ApiFailure } from './api-failure.js';
import { element, form, labelled, viewHeading, type Child } from './elements.js';
import { failurePanel } from './failure-panel.js';
import { objectOf, objectsOf, textOf, type JsonObject } from './json.js';
import { fragmentOf } from './place.js';
import { toolView } from './tool-view.js';
import type { View, Visit } from './view.js';

/** Tools that are shown for a need. */
const LIMIT = 10;
const MAX_NEED_LENGTH = '2000';

/** From a need to ranked tools, or one of them. It asks when somebody says so, and never by itself: a deployment may charge for searches. */
export const searchView: View = (visit) => {
  if (visit.place.id !== undefined) return toolView(visit);
  const { memory } = visit;
  const found = element('div');
  const told = element('p', { role: 'status' });
  const need = element('input', {
    type: 'search',
    required: true,
    maxlength: MAX_NEED_LENGTH,
    value: memory.search?.need ?? '',
  });
  const submit = element('button', {}, 'Search');
  const search = async (): Promise<void> => {
    submit.disabled = true;
    told.textContent = 'Searching …';
    found.replaceChildren();
    found.replaceChildren(...(await ask(visit, need.value, told)));
    submit.disabled = false;
  };
  if (memory.search !== undefined) found.replaceChildren(...shown(memory.search.answer));
  const hint =
    'Say in a sentence what a tool is to do. A search is in the usage, and costs credits where this router charges for searches.';
  return Promise.resolve([
    viewHeading('Search'),
    form(() => void search(), labelled('What do you need?', need, hint), submit),
    told,
    found,
  ]);
};

/** `told`: where those who do not see the list hear that it is there. */
async function ask(visit: Visit, need: string, told: HTMLElement): Promise<readonly Child[]> {
  try {
    const answer = await visit.api.post('/search', { query: need, limit: LIMIT });
    visit.memory.search = { need, answer };
    const { length } = objectsOf(answer['results']);
    told.textContent = length === 1 ? 'One tool, with how well it fits.' : `${length} tools, the best fit first.`;
    return shown(answer);
  } catch (error) {
    told.textContent = '';
    if (error instanceof ApiFailure && error.told.status === 401) visit.signOut(error.message);
    return [failurePanel(error)];
  }
}

function shown(answer: JsonObject): readonly Child[] {
  const tools = objectsOf(answer['results']);
  const searchId = textOf(answer['search_id']);
  const told = [answer['notice'], answer['error_message']].map(textOf).filter((text) => text !== '');
  const parts: Child[] = told.map((text) => element('p', {}, text));
  if (tools.length > 0)
    parts.push(element('ol', { class: 'tools' }, ...tools.map((tool) => element('li', {}, ...card(tool, searchId)))));
  else if (told.length === 0) parts.push(element('p', {}, 'No tool fits. Say it in other words.'));
  return parts;
}

function card(tool: JsonObject, searchId: string): readonly Child[] {
  const id = textOf(tool['tool_id']);
  const href = fragmentOf({ view: 'search', id, query: { search_id: searchId } });
  const price = textOf(objectOf(tool['billing_rule'])['description']);
  const expected = textOf(tool['expected_cost']);
  return [
    element('h2', {}, element('a', { href }, textOf(tool['name']))),
    element('p', {}, element('code', {}, id)),
    element('p', {}, textOf(tool['description'])),
    element(
      'p',
      { class: 'hint' },
      [`Fit ${textOf(tool['final_score'])}`, expected === '' ? '' : `about ${credits(expected)} a call`, price]
        .filter((part) => part !== '')
        .join(' · '),
    ),
    element('p', { class: 'hint' }, textOf(tool['why_recommended'])),
  ];
}
