import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { causes } from './causes.js';

const read = (path: string): string => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
const pages = readdirSync(new URL('../../../../docs/runbooks', import.meta.url)).filter((name) => name !== 'README.md');

const rules = read('deploy/helm/capability-router/files/alerts.yaml');
/** The alerts of the chart, each with its runbook. */
const alerts = [...rules.matchAll(/^- alert: (\w+)\n(?: .*\n)*? {2}runbook: (.+)$/gm)].map(
  ([, alert = '', runbook = '']) => ({ alert, runbook }),
);

describe('the alerts of the chart', () => {
  it('have a cause each, which is ended by the runbook that the alert links to', () => {
    expect(alerts).toHaveLength([...rules.matchAll(/\balert:/g)].length);
    const caused = causes.flatMap(({ alerts: fired, afterwards = [], runbook }) =>
      [...fired, ...afterwards].map((alert) => `${alert}: ${runbook}`),
    );
    const uncaused = alerts.filter(({ alert, runbook }) => !caused.includes(`${alert}: ${runbook}`));
    expect(uncaused).toEqual([]);
    const names = alerts.map(({ alert }) => alert);
    expect(causes.flatMap(({ alerts: fired }) => fired).filter((alert) => !names.includes(alert))).toEqual([]);
  });

  it('are symptoms of a page that is there, and stand in the table of pages', () => {
    const table = read('docs/runbooks/README.md');
    for (const { alert, runbook } of alerts) {
      const [, symptom] = partOf(runbook, 'Symptom');
      expect({ alert, symptom }).toEqual({ alert, symptom: expect.stringContaining(`\`${alert}\``) });
      expect(table).toMatch(new RegExp(`\\(${runbook}\\.md\\) *\\|.*\`${alert}\``));
    }
  });
});

describe('the runbooks', () => {
  it.each(pages)(
    '%s says how it shows, what it means for money, what to run, and how to know that it is over',
    (page) => {
      const name = page.replace(/\.md$/, '');
      expect({
        shows: partOf(name, 'Symptom|When')[1],
        money: partOf(name, 'Money')[1],
        command: /(?:^ *|`)(?:\w+=\S+ )*(?:caprouter|psql|curl|pg_restore|kubectl) [^`\n]+/m.test(
          read(`docs/runbooks/${page}`),
        ),
        over: partOf(name, 'Over')[1],
      }).toEqual({ shows: expect.any(String), money: expect.any(String), command: true, over: expect.any(String) });
      expect(read('docs/runbooks/README.md')).toContain(`(${page})`);
    },
  );
});

/** The paragraph of a page that begins with the heading in bold. */
function partOf(name: string, heading: string): readonly (string | undefined)[] {
  return (
    new RegExp(`^\\*\\*(?:${heading})\\.?\\*\\*([\\s\\S]+?)(?:\\n\\n|\\n$)`, 'm').exec(
      read(`docs/runbooks/${name}.md`),
    ) ?? []
  );
}
