import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { ProviderDefinition, ToolBinding, ToolContract } from '@capability-router/contracts';
import { parseYaml } from '@capability-router/provider-kit/documents';
import { readManifest, type ReadManifest } from '../admin/manifest/read-manifest.js';
import { checkDescription } from './domain/check-description.js';
import { checkIdentity } from './domain/check-identity.js';
import { checkPermissions } from './domain/check-permissions.js';

const guide = (file: string): string =>
  readFileSync(new URL(`../../../../docs/guides/${file}`, import.meta.url), 'utf8');

function read(document: unknown): ReadManifest & { readonly provider: ProviderDefinition } {
  const result = readManifest(document, { base: [], maxValues: 10_000, only: 'provider' });
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  const { provider } = result.value;
  if (provider === undefined) throw new Error('a provider was read');
  return { ...result.value, provider };
}

/** Judged are the checks that need no call: the others depend on the provider. */
describe('the samples of the guides', () => {
  it('that are manifests pass the checks that are of the manifest', () => {
    const [, text = ''] = /^```yaml\n(# acme\.yaml\n.*?)^```$/ms.exec(guide('add-tools.md')) ?? [];
    const parsed = parseYaml(text);
    if ('problem' in parsed) throw new Error(parsed.problem);
    const { provider, tools } = read(parsed.document);
    expect(tools).toHaveLength(1);
    for (const { manifest } of tools) {
      const tool = { ...manifest, provider } as unknown as ToolContract;
      const findings = [checkDescription(tool, []), checkIdentity(tool, new Map()), checkPermissions(tool)];
      expect(findings.map(({ name, status, reason }) => [name, status, reason])).toEqual([
        ['description_contract', 'passed', undefined],
        ['provider_identity', 'passed', undefined],
        ['permissions', 'passed', undefined],
      ]);
    }
  });

  it('that are sources declare the hosts that their tools reach', () => {
    const bodies = [...guide('providers.md').matchAll(/\/admin\/v1\/sources\/\w+" .*?-d '(\{.*?\})'/gs)].map(
      ([, body = '']) =>
        JSON.parse(body) as { provider: object; url?: string; server?: { transport: 'streamable_http'; url: string } },
    );
    expect(bodies).toHaveLength(2);
    for (const { provider: record, url = '', server } of bodies) {
      const { provider } = read({ name: { en: 'x' }, description: { en: 'x' }, ...record });
      const auth = { kind: 'none' } as const;
      const binding: ToolBinding =
        server === undefined
          ? { kind: 'http', method: 'GET', url, placements: {}, auth }
          : { kind: 'mcp', server, tool: 'x', auth };
      const tool = { binding, provider: { ...provider } } as Pick<ToolContract, 'binding' | 'provider'>;
      expect([checkIdentity(tool, new Map()).status, checkPermissions(tool).status]).toEqual(['passed', 'passed']);
    }
  });
});
