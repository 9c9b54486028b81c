import { createRequire } from 'node:module';

let names: ReadonlySet<string> | undefined;

/** 120,000 names, so they are read when the first address is judged and not at the start. */
function disposableNames(): ReadonlySet<string> {
  if (names === undefined) {
    const load = createRequire(import.meta.url);
    const exact = load('disposable-email-domains') as readonly string[];
    const withSubdomains = load('disposable-email-domains/wildcard.json') as readonly string[];
    names = new Set([...exact, ...withSubdomains]);
  }
  return names;
}

/** Does the domain, or one above it, hand out mailboxes that last for minutes? `domain`: in lower case and in ASCII. */
export function isDisposable(domain: string): boolean {
  const labels = domain.split('.');
  return labels.slice(0, -1).some((_label, index) => disposableNames().has(labels.slice(index).join('.')));
}
