import { element } from './elements.js';
import { failurePanel } from './failure-panel.js';
import { issuedKey, titleOf } from './issued-key.js';
import type { JsonObject } from './json.js';

/** Shows what came of changes of keys: each new key until somebody has put it away, and beside them what went wrong last. */
export class KeyOutcome {
  private readonly issued = element('div');
  private readonly told = element('div');
  readonly element = element('div', {}, this.issued, this.told);

  get hasUnread(): boolean {
    return this.issued.childElementCount > 0;
  }

  /** Shows a new key; in a dialog where the reader has gone on to another view. `done`: the last one is put away. */
  show(key: JsonObject, done: () => void): void {
    this.told.replaceChildren();
    const isSeen = this.element.isConnected;
    const holder = isSeen ? element('div') : element('dialog', { class: 'keeps', 'aria-label': titleOf(key) });
    holder.append(
      issuedKey(key, () => {
        holder.remove();
        if (isSeen && !this.hasUnread) done();
      }),
    );
    if (isSeen) this.issued.append(holder);
    else document.body.append(holder);
    if (holder instanceof HTMLDialogElement) holder.showModal();
    else this.reveal(holder);
  }

  tell(text: string): void {
    this.told.replaceChildren(element('p', { role: 'status' }, text));
  }

  fail(error: unknown): void {
    this.told.replaceChildren(failurePanel(error));
    this.reveal(this.told);
  }

  private reveal(part: HTMLElement): void {
    part.scrollIntoView({ block: 'nearest' });
    part.querySelector<HTMLElement>('h2, .failure')?.focus();
  }
}
