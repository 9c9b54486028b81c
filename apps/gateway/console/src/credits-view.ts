import { credits } from './amounts.js';
import { facts, viewHeading, element } from './elements.js';
import { objectOf, textOf, type JsonObject } from './json.js';
import { table } from './table.js';
import { time } from './times.js';
import type { View } from './view.js';

const categories = [
  ['daily_free', 'Free each day'],
  ['trial', 'Trial'],
  ['welcome_bonus', 'Welcome bonus'],
  ['invite_reward', 'Invitation reward'],
  ['purchased', 'Purchased'],
] as const;

/** Tells how much is left, how much running calls hold, and which grants it comes from. */
export const creditsView: View = async ({ api }) => {
  const answer = await api.read('/auth/credits');
  const expiry = textOf(answer['next_expiry']);
  const given = categories.map(([name, title]) => ({ title, lot: objectOf(answer[name]) }));
  return [
    viewHeading('Credits'),
    facts(
      ['Balance', figure(answer, 'remaining_credits')],
      ['Held by running calls', figure(answer, 'held_credits')],
      ['Next expiry of a grant', expiry === '' ? '' : time(expiry)],
    ),
    table(
      'Grants by category, in credits',
      [
        { title: 'Category', cell: ({ title }) => title },
        { title: 'Remaining', isAmount: true, cell: ({ lot }) => textOf(lot['remaining']) },
        { title: 'Granted', isAmount: true, cell: ({ lot }) => textOf(lot['total'] ?? lot['initial']) },
      ],
      given,
    ),
  ];
};

const figure = (answer: JsonObject, member: string): HTMLElement =>
  element('span', { class: 'figure' }, credits(textOf(answer[member])));
