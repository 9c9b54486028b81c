import { button, element, type Child } from './elements.js';

/**
 * Asks before something is changed, in a dialog that keeps the focus, and whose Escape says no. The button that changes
 * nothing is the first, so that it has the focus.
 */
export function confirmed(question: string, action: string, ...body: readonly Child[]): Promise<boolean> {
  const dialog = element('dialog', { 'aria-labelledby': 'question' });
  const answered = new Promise<boolean>((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
  });
  dialog.append(
    element('h2', { id: 'question' }, question),
    ...body,
    element(
      'p',
      { class: 'actions' },
      button('Cancel', () => dialog.close('no'), { class: 'plain', autofocus: true }),
      button(action, () => dialog.close('yes'), { class: 'danger' }),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  return answered;
}
