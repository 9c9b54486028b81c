/** Documents are large: they cross after a line of their own and not as a text within JSON, which would be escaped. */
export const withDocument = (head: object, document: string): string => `${JSON.stringify(head)}\n${document}`;

export function readDocument<T>(text: string): { readonly head: T; readonly document: string } {
  const end = text.indexOf('\n');
  return { head: JSON.parse(text.slice(0, end)) as T, document: text.slice(end + 1) };
}
