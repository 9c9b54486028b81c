import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { launchBrowser } from './support/browser.js';
import { nextOrigin } from './support/environment.js';

/** Milliseconds for a page to have read its document. */
const PATIENCE_MS = 80_000;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser(process.env['TEST_CHROMIUM']);
});
afterAll(() => browser.close());

describe.each([
  ['/docs', 'POST /tools/execute'],
  ['/docs/admin', 'POST /accounts/{account_id}/payment-refunds'],
])('the reference at %s', (path, operation) => {
  it('shows the operations in a browser, asks no other host, and has nothing that its own policy stops', async () => {
    const origin = nextOrigin();
    const page = await (await browser.newContext({ baseURL: origin })).newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const asked: string[] = [];
    const told: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (message) => told.push(message.text()));
    page.on('pageerror', (error) => told.push(String(error)));
    await page.goto(path);
    const [method = '', of = ''] = operation.split(' ');
    const summary = page
      .locator('.opblock-summary', { hasText: method })
      .filter({ hasText: of.split('/').at(-1) ?? '' });
    await summary.first().click();
    await page.getByText('Try it out').first().waitFor();
    const elsewhere = asked.filter((url) => !url.startsWith('data:') && new URL(url).origin !== new URL(origin).origin);
    expect({ elsewhere, told }).toEqual({ elsewhere: [], told: [] });
    expect(asked.length).toBeGreaterThan(3);
  });
});
