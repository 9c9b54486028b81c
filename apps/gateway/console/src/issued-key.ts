import { copyButton } from './copy-button.js';
import { button, element } from './elements.js';
import { textOf, type JsonObject } from './json.js';
import { time } from './times.js';

export const titleOf = (issued: JsonObject): string => `The new key "${textOf(issued['name'])}"`;

/** A new key, which no answer shows again. `done`: whoever reads it has put it away. */
export function issuedKey(issued: JsonObject, done: () => void): HTMLElement {
  const secret = element('code', { class: 'secret' }, textOf(issued['api_key']));
  const oldEnds = textOf(issued['replaced_expires_at']);
  return element(
    'section',
    { class: 'issued', 'aria-label': titleOf(issued) },
    element('h2', { tabindex: '-1' }, titleOf(issued)),
    element('p', {}, 'It is shown this once. Put it where its program finds it before you go on.'),
    element('p', {}, secret),
    copyButton('Copy the key', secret),
    oldEnds === '' ? '' : element('p', {}, 'The old key ends at ', time(oldEnds), '.'),
    button('I have put it away', done, { class: 'plain' }),
  );
}
