import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { newAccount, type TestAccount } from './support/accounts.js';
import { faultsOf, launchBrowser } from './support/browser.js';
import { DeviceProgram } from './support/device-program.js';
import { nextOrigin } from './support/environment.js';

/** Milliseconds for a click to lead somewhere. */
const PATIENCE_MS = 20_000;

let account: TestAccount;
let browser: Browser;
beforeAll(async () => {
  [account, browser] = await Promise.all([newAccount(), launchBrowser(process.env['TEST_CHROMIUM'])]);
});
afterAll(() => browser.close());

async function openedPage(program: DeviceProgram, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ baseURL: nextOrigin(), ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  await page.goto(program.page.complete);
  return page;
}

const focusOf = (page: Page): Promise<unknown> => page.evaluate('document.activeElement.id');

describe('the page of consents in a browser', () => {
  it('is accessible at every step, by keyboard alone, and a denial is told to the program', async () => {
    const program = await DeviceProgram.begin(account);
    const refusals: string[] = [];
    const page = await openedPage(program, { locale: 'en-GB' });
    page.on('console', (message) => refusals.push(message.text()));
    expect([await faultsOf(page), await focusOf(page)]).toEqual([[], 'user_code']);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect([await faultsOf(page), await focusOf(page)]).toEqual([[], 'api_key']);
    await page.keyboard.type('sk-wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect([await faultsOf(page), await focusOf(page)]).toEqual([[], 'api_key']);
    await page.getByLabel('E-mail address of your account').fill('nobody@example.org');
    await page.getByRole('button', { name: 'Mail me a code' }).click();
    await page.getByLabel('Code from the mail').waitFor();
    expect([await faultsOf(page), await focusOf(page)]).toEqual([[], 'code']);
    await page.goto(program.page.complete);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel('API key').fill(account.key);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Give a terminal access?' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    expect(await page.getByText(program.userCode, { exact: true }).count()).toBe(1);
    await page.getByRole('button', { name: 'Deny' }).press('Enter');
    await page.getByRole('heading', { name: 'Access denied' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    expect((await program.poll()).json['error']).toBe('access_denied');
    expect(await page.context().cookies()).toEqual([]);
    // The browser reports here what the policy of the page keeps it from, its own style among it.
    expect(refusals.filter((text) => text.includes('Content Security Policy'))).toEqual([]);
  });

  it('works without scripts and in Chinese, and an approval gives the program its tokens', async () => {
    const program = await DeviceProgram.begin(account, '终端程序');
    const page = await openedPage(program, { locale: 'zh-CN', javaScriptEnabled: false });
    await page.getByRole('button', { name: '继续' }).click();
    await page.getByLabel('API 密钥').fill(account.key);
    await page.getByRole('button', { name: '使用密钥登录' }).click();
    await page.getByRole('heading', { name: '授予 终端程序 访问权限？' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('zh');
    await page.getByRole('button', { name: '批准' }).click();
    await page.getByRole('heading', { name: '已授予访问权限' }).waitFor();
    expect((await program.poll()).json).toMatchObject({ token_type: 'Bearer', scope: 'call read' });
  });
});
