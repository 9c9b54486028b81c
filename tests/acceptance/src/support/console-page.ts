import { expect } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { faultsOf } from './browser.js';
import { nextOrigin } from './environment.js';

/** Milliseconds for a click to lead somewhere. */
const PATIENCE_MS = 20_000;

/** The console in a browser, and what the browser says of it. */
export class ConsolePage {
  /** Words on the browser's own console but those about an answer that is no success, and what the page threw. */
  readonly told: string[] = [];
  private readonly asked: string[] = [];

  private constructor(
    readonly page: Page,
    private readonly origin: string,
  ) {}

  static async open(browser: Browser, options: BrowserContextOptions = {}): Promise<ConsolePage> {
    const origin = nextOrigin();
    const context = await browser.newContext({ baseURL: origin, ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const opened = new ConsolePage(page, origin);
    page.on('request', (request) => opened.asked.push(request.url()));
    page.on('pageerror', (error) => opened.told.push(String(error)));
    page.on('console', (message) => {
      if (!message.text().startsWith('Failed to load resource')) opened.told.push(message.text());
    });
    await page.goto('/console');
    return opened;
  }

  async signIn(key: string): Promise<void> {
    await this.page.getByLabel('API key').fill(key);
    await this.page.keyboard.press('Enter');
  }

  /** Opens a view by its link. */
  async view(name: string): Promise<void> {
    await this.page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name }).click();
    await this.page.getByRole('heading', { level: 1, name }).waitFor();
  }

  /** Requests to other origins. */
  elsewhere(): string[] {
    const own = new URL(this.origin).origin;
    return this.asked.filter((url) => !url.startsWith('data:') && new URL(url).origin !== own);
  }

  /** Places outside of the memory of the page in which the key could be found. */
  async keptOutside(): Promise<string> {
    const kept = await this.page.evaluate(`(async () => {
      const texts = (storage) => Array.from({ length: storage.length }, (_, index) => storage.getItem(storage.key(index)));
      const named = [await indexedDB.databases(), await caches.keys()];
      if (named.flat().length > 0) return 'a database or a cache';
      return JSON.stringify([texts(localStorage), texts(sessionStorage), document.cookie, location.href, history.state, name]);
    })()`);
    expect(kept).toMatch(/^\[/);
    return `${String(kept)} ${JSON.stringify(await this.page.context().cookies())} ${this.asked.join(' ')}`;
  }

  /** As `faultsOf` the page. */
  faults(): Promise<unknown> {
    return faultsOf(this.page);
  }
}
