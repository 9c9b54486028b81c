import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { newAccount, newKey, type TestAccount } from './support/accounts.js';
import { listCharges, settledUsageOf } from './support/audit.js';
import { launchBrowser } from './support/browser.js';
import { ConsolePage } from './support/console-page.js';
import { adminKey } from './support/environment.js';
import { eventually } from './support/eventually.js';
import { execute } from './support/execute.js';
import { call, send } from './support/http.js';
import { asObject, asString, type JsonObject } from './support/json.js';
import { startPricedProvider, type PricedProvider } from './support/priced-provider.js';
import { paidCall } from './support/tools.js';

let account: TestAccount;
let browser: Browser;
beforeAll(async () => {
  [account, browser] = await Promise.all([newAccount(), launchBrowser(process.env['TEST_CHROMIUM'])]);
});
afterAll(() => browser.close());

async function signedIn(key: string): Promise<ConsolePage> {
  const opened = await ConsolePage.open(browser);
  await opened.signIn(key);
  await opened.page.getByRole('navigation', { name: 'Views' }).waitFor();
  return opened;
}

const balanceAfter = (entry: JsonObject | undefined): string =>
  String(asObject(entry?.['balance_after'])['total_available_credits']);

const statusOf = async (key: string): Promise<number> => (await call('GET', '/auth/credits', { key })).status;

describe('the console in a browser', () => {
  it('shows a call that was made before, with its ledger entry and the same amount, by keyboard alone', async () => {
    const { execution_id: id } = (await execute(account.key, paidCall)).json;
    const usage = await settledUsageOf(account.key, id);
    // Its entry stands in the ledger as well, and belongs to another call.
    await settledUsageOf(account.key, (await execute(account.key, paidCall)).json['execution_id']);
    const [newest, charge] = await listCharges(account.key);
    expect(charge?.['execution_id']).toBe(id);
    const amount = String(charge?.['amount_credits']);
    expect(amount).toBe(`-${String(usage['settled_amount_credits'])}`);
    const opened = await ConsolePage.open(browser);
    const { page } = opened;
    expect(await opened.faults()).toEqual([]);
    await page.keyboard.type(account.key);
    await page.keyboard.press('Enter');
    await page.getByText(`${balanceAfter(newest)} credits`, { exact: true }).waitFor();
    expect(await opened.faults()).toEqual([]);
    await page.getByRole('link', { name: 'Usage' }).press('Enter');
    const row = page.getByRole('row', { name: paidCall.toolId }).last();
    expect(await row.getByRole('cell').last().textContent()).toBe(amount.slice(1));
    expect(await opened.faults()).toEqual([]);
    await row.getByRole('link').press('Enter');
    await page.getByRole('heading', { level: 1, name: paidCall.toolId }).waitFor();
    await page
      .getByText(new RegExp(`^${amount.slice(1)} credits?$`))
      .first()
      .waitFor();
    const entries = page.getByRole('table', { name: 'Ledger entries of this request' }).getByRole('row');
    expect(await entries.count()).toBe(2);
    const cells = await entries.last().getByRole('cell').allTextContents();
    expect(cells.slice(1, 3)).toEqual([amount, balanceAfter(charge)]);
    expect(await opened.faults()).toEqual([]);
    await opened.view('Ledger');
    expect(await page.getByRole('row', { name: asString(charge?.['description']) }).count()).toBe(2);
    expect(await opened.faults()).toEqual([]);
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: paidCall.toolId }).waitFor();
    expect({ elsewhere: opened.elsewhere(), told: opened.told }).toEqual({ elsewhere: [], told: [] });
    expect(await opened.keptOutside()).not.toContain(account.key);
    await page.reload();
    await page.getByLabel('API key').waitFor();
  });

  it('shows a refund beside the charge that it gives back, and leads from it to the call', async () => {
    const refunded = await newAccount();
    const { execution_id: id } = (await execute(refunded.key, paidCall)).json;
    await settledUsageOf(refunded.key, id);
    const [charge] = await listCharges(refunded.key);
    const refund = await send('POST', `/admin/v1/accounts/${refunded.accountId}/refunds`, {
      key: adminKey,
      body: { execution_id: id },
      headers: { 'idempotency-key': `refund-${String(id)}` },
    });
    expect(refund.status).toBe(201);
    const { page } = await signedIn(refunded.key);
    await page.getByRole('link', { name: 'Ledger' }).click();
    await page.getByRole('row', { name: 'Refund of a charge' }).getByRole('link', { name: 'Usage' }).click();
    // The row of the ledger names the tool as well.
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
    const call = page.getByRole('row', { name: paidCall.toolId });
    expect(await call.getByRole('cell').last().textContent()).toBe('0');
    await call.getByRole('link').click();
    const entries = page.getByRole('table', { name: 'Ledger entries of this request' }).getByRole('row');
    await entries.nth(2).waitFor();
    expect(await page.locator('dl > div', { hasText: 'After refunds' }).locator('dd').textContent()).toBe('0 credits');
    const amount = String(charge?.['amount_credits']);
    const shown = await entries.locator('td:nth-child(3)').allTextContents();
    expect(shown).toEqual([amount.slice(1), amount]);
  });

  it('makes a key, shows it once, and rotates and revokes it when that is confirmed', async () => {
    const opened = await signedIn(account.key);
    const { page } = opened;
    await opened.view('Keys');
    expect(await opened.faults()).toEqual([]);
    const name = `console ${account.keyId}`;
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Make the key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('with the scopes call, read.').waitFor();
    await dialog.getByRole('button', { name: 'Make' }).click();
    const made = asString(await page.locator('.secret').textContent());
    expect([made.startsWith('sk-'), await statusOf(made)]).toEqual([true, 200]);
    expect(await opened.faults()).toEqual([]);
    await page.getByRole('button', { name: 'I have put it away' }).click();
    const revoke = page.getByRole('button', { name: `Revoke ${name}` });
    await revoke.click();
    await page.getByRole('dialog').waitFor();
    expect(await opened.faults()).toEqual([]);
    await page.keyboard.press('Escape');
    expect([await page.getByRole('dialog').count(), await statusOf(made)]).toEqual([0, 200]);
    await page.getByRole('button', { name: `Rotate ${name}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    const rotated = asString(await page.locator('.secret').textContent());
    expect([rotated === made, await statusOf(made), await statusOf(rotated)]).toEqual([false, 200, 200]);
    await page.getByRole('button', { name: 'I have put it away' }).click();
    expect(await page.content()).not.toMatch(new RegExp(`${made}|${rotated}`));
    await page.getByRole('row', { name }).nth(1).waitFor();
    await revoke.first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('row', { name }).filter({ hasText: 'revoked' }).waitFor();
    await eventually(async () => expect(await statusOf(rotated)).toBe(401));
    expect(opened.told).toEqual([]);
  });

  it('loses no new key: not to another one, and not to a reader who goes on meanwhile', async () => {
    const opened = await signedIn(account.key);
    const { page } = opened;
    await opened.view('Keys');
    const make = async (name: string): Promise<void> => {
      await page.getByLabel('Name').fill(name);
      await page.getByRole('button', { name: 'Make the key' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Make' }).click();
    };
    for (const name of ['first', 'second']) {
      await make(name);
      await page.getByRole('heading', { name: `The new key "${name}"` }).waitFor();
    }
    expect(await page.locator('.secret').count()).toBe(2);
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/api/v1/auth/api-keys', async (route) => {
      if (route.request().method() === 'POST') await answered;
      await route.continue();
    });
    await make('third');
    await opened.view('Credits');
    answer();
    const dialog = page.getByRole('dialog', { name: 'The new key "third"' });
    expect((await dialog.locator('.secret').textContent())?.startsWith('sk-')).toBe(true);
    expect(await opened.faults()).toEqual([]);
    await dialog.getByRole('button', { name: 'I have put it away' }).click();
    await page.getByRole('heading', { level: 1, name: 'Credits' }).waitFor();
    expect([await page.getByRole('dialog').count(), opened.told]).toEqual([0, []]);
  });

  it('asks for the key again when it was left, and answers no question of a view that is gone', async () => {
    const opened = await signedIn(account.key);
    const { page } = opened;
    await opened.view('Keys');
    await page
      .getByRole('button', { name: /^Revoke / })
      .first()
      .click();
    await page.getByRole('dialog').waitFor();
    // As when a browser puts the page aside for the button that leads back.
    await page.evaluate(`dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))`);
    await page.getByLabel('API key').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await statusOf(account.key)).toBe(200);
  });

  it('says which scope is missing, and what to do next', async () => {
    const { key } = await newKey(account.accountId, ['call']);
    const opened = await signedIn(key);
    const { page } = opened;
    for (const [view, scope] of [
      ['Usage', 'read'],
      ['Ledger', 'read'],
      ['Credits', 'read'],
      ['Keys', 'manage'],
    ] as const) {
      await opened.view(view);
      await page.getByRole('alert').getByText(`Sign in with a key that has the scope "${scope}"`).waitFor();
      expect(await page.getByRole('alert').getByText('insufficient_scope').count()).toBe(1);
    }
    expect(await opened.faults()).toEqual([]);
  });

  it('tells why a key is refused, before it is signed in and after', async () => {
    const { key, keyId } = await newKey(account.accountId, ['read']);
    const opened = await ConsolePage.open(browser);
    const { page } = opened;
    await opened.signIn('sk-wrong');
    await page.getByRole('alert').getByText('Invalid API key').waitFor();
    await page.getByRole('alert').getByText('Paste the whole key').waitFor();
    expect([await opened.faults(), await page.evaluate('document.activeElement.tagName')]).toEqual([[], 'INPUT']);
    await opened.signIn(key);
    await page.getByRole('heading', { name: 'Credits' }).waitFor();
    await call('DELETE', `/auth/api-keys/${keyId}`, { key: account.key });
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByLabel('API key').waitFor();
    await page.getByRole('alert').getByText('Invalid API key').waitFor();
    expect(await page.getByLabel('API key').inputValue()).toBe('');
  });

  it('shows what a request did wrong, and waits for as long as the router asks', async () => {
    const opened = await signedIn(account.key);
    const { page } = opened;
    await opened.view('Usage');
    await page.getByLabel('Execution id').fill('nonsense');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('execution_id', { exact: true }).waitFor();
    let asked = 0;
    await page.route('**/api/v1/auth/credits/ledger?*', (route) => {
      asked += 1;
      const json = { status: 'failure', message: 'Rate limit exceeded.', code: 'rate_limited' };
      return asked > 1 ? route.continue() : route.fulfill({ status: 429, headers: { 'retry-after': '2' }, json });
    });
    await page.getByRole('link', { name: 'Ledger' }).click();
    await page.getByText('The router asks to wait 2 s (Retry-After).').waitFor();
    expect(await page.getByRole('button', { name: 'Try again in' }).isDisabled()).toBe(true);
    await page.getByRole('link', { name: 'Credits' }).click();
    await page.getByText('The router asked to wait, and nothing was sent.').waitFor();
    expect(asked).toBe(1);
    await page.getByRole('button', { name: 'Try again', exact: true }).click();
    await opened.view('Ledger');
    expect(asked).toBe(2);
  });
});

describe('a tool that somebody else describes', () => {
  let provider: PricedProvider;
  const hostile = `<img src=x onerror="window.ran=1"><script>window.ran=1</script>'"`;
  beforeAll(async () => {
    provider = await startPricedProvider();
    const over = { name: { en: hostile }, description: { en: `${hostile} of a provider of the acceptance suite.` } };
    await provider.publish({ trap: { price: { amount_credits: '0.000001' }, over } });
  });
  afterAll(() => provider.close());

  it('is found by a need, shown with its price and a command, and is text wherever it is shown', async () => {
    const toolId = provider.idOf('trap');
    const called = await provider.call(account, 'trap', { size: 3 });
    await settledUsageOf(account.key, called.json['execution_id']);
    const opened = await signedIn(account.key);
    const { page } = opened;
    await opened.view('Search');
    await page.getByLabel('What do you need?').fill(toolId);
    await page.keyboard.press('Enter');
    await page.getByText('0.000001', { exact: false }).first().waitFor();
    expect(await opened.faults()).toEqual([]);
    await page.getByRole('link', { name: hostile }).click();
    await page.getByRole('heading', { level: 1, name: hostile }).waitFor();
    const command = await page.getByLabel('Command').textContent();
    expect(command).toContain(`/api/v1/tools/execute?tool_id=${toolId}'`);
    expect(command).toContain(`-d '{"parameters":{"size":3}}'`);
    expect(command).not.toContain(account.key);
    expect(await opened.faults()).toEqual([]);
    await opened.view('Usage');
    await page.getByRole('row', { name: toolId }).getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: toolId }).waitFor();
    expect(await page.getByText('-0.000001', { exact: true }).count()).toBe(1);
    expect(await page.evaluate('[window.ran, document.images.length]')).toEqual([undefined, 0]);
    expect(opened.told).toEqual([]);
    await page.goBack();
    await page.goBack();
    await page.goBack();
    await page.getByRole('link', { name: hostile }).waitFor();
  });
});
