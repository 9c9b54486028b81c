import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium, type Browser, type Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Starts the browser that `TEST_CHROMIUM` names: a spec names the variable itself, since specs are sorted by that. */
export function launchBrowser(executablePath: string | undefined): Promise<Browser> {
  if (executablePath === undefined) throw new Error('TEST_CHROMIUM names no browser: install the package chromium');
  return chromium.launch({ executablePath });
}

/** The findings of axe about the page, by all of its rules: names of rules and the elements. */
export async function faultsOf(page: Page): Promise<unknown> {
  await page.evaluate(axe);
  return page.evaluate(`axe.run().then(({ violations }) =>
    violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))`);
}
