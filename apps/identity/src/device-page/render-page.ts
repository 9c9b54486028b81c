import { createHash } from 'node:crypto';
import { DEVICE_PAGE_PATH, type Language } from '@capability-router/contracts';
import { once } from '@capability-router/kernel';
import { layout, style, templates } from './page-templates.js';
import { pageTexts } from './page-texts.js';
import type { PageView } from './page-view.js';

/** Loaded with the first page. What it puts into a page is escaped. */
const loadEngine = once(async () => {
  const { Eta } = await import('eta');
  return new Eta({ autoEscape: true });
});

export async function renderPage(view: PageView, language: Language): Promise<string> {
  const engine = await loadEngine();
  const t = pageTexts[language];
  return engine.renderString(layout(templates[view.kind]), { view, t, language, style, path: DEVICE_PAGE_PATH });
}

const styleHash = createHash('sha256').update(style).digest('base64');

/** Nothing runs, nothing is loaded, nobody frames the page, and its forms go to its own origin. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

export const pageHeaders = (language: Language): Readonly<Record<string, string>> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-language': language,
  'content-security-policy': policy,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  vary: 'accept-language',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
});
