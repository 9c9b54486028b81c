import { button, element } from './elements.js';

/** Copies the text of `source`. Where the browser does not let a page copy, the text is selected for whoever does it. */
export function copyButton(text: string, source: HTMLElement): HTMLElement {
  const told = element('span', { role: 'status', class: 'hint' });
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(source.textContent);
      told.textContent = 'Copied.';
    } catch {
      getSelection()?.selectAllChildren(source);
      told.textContent = 'The browser does not let this page copy. The text is selected: copy it by the keyboard.';
    }
  };
  return element(
    'p',
    { class: 'copy' },
    button(text, () => void copy()),
    told,
  );
}
