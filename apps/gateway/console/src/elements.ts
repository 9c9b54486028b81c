export type Child = Node | string;
type Attributes = Readonly<Record<string, string | boolean>>;

/**
 * Makes an element. Every text becomes a text node, so that nothing that an answer says is read as markup. `true` sets an
 * attribute without a value, `false` leaves it out.
 */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children);
  return made;
}

/** The heading of a view, which gets the focus when the view is shown, so that a screen reader begins there. */
export const viewHeading = (text: string): HTMLHeadingElement => element('h1', { tabindex: '-1' }, text);

export function button(text: string, onClick: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, text);
  made.addEventListener('click', onClick);
  return made;
}

let count = 0;

/** A field with its label, in one block. `hint` is read with the field. */
export function labelled(label: string, field: HTMLElement, hint?: string): HTMLDivElement {
  count += 1;
  field.id = `field-${count}`;
  const parts: Child[] = [element('label', { for: field.id }, label), field];
  if (hint !== undefined) {
    field.setAttribute('aria-describedby', `${field.id}-hint`);
    parts.push(element('p', { class: 'hint', id: `${field.id}-hint` }, hint));
  }
  return element('div', { class: 'field' }, ...parts);
}

/** A form that sends nothing by itself. */
export function form(onSubmit: () => void, ...children: readonly Child[]): HTMLFormElement {
  const made = element('form', { autocomplete: 'off' }, ...children);
  made.addEventListener('submit', (event) => {
    event.preventDefault();
    onSubmit();
  });
  return made;
}

/** Names with their values; an empty value is left out. */
export function facts(...rows: readonly (readonly [name: string, value: Child])[]): HTMLDListElement {
  const told = rows.filter(([, value]) => value !== '');
  return element(
    'dl',
    { class: 'facts' },
    ...told.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))),
  );
}

export function select(options: readonly (readonly [value: string, text: string])[], chosen = ''): HTMLSelectElement {
  return element(
    'select',
    {},
    ...options.map(([value, text]) => element('option', { value, selected: value === chosen }, text)),
  );
}

/** All that an answer says, folded away. */
export const wholeRecord = (text: string): HTMLDetailsElement =>
  element(
    'details',
    {},
    element('summary', {}, 'The whole record'),
    element('pre', { tabindex: '0', 'aria-label': 'The whole record' }, text),
  );
