/** Where no browser is: the page is there with what keeps a key in it, on every replica. `console-browser` drives it. */
import { describe, expect, it } from '@jest/globals';
import { send } from './support/http.js';

describe('the console', () => {
  it('is a page of its own origin that is kept nowhere and framed by nobody, and so are its scripts', async () => {
    const { status, headers, text } = await send('GET', '/console');
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    const links = [...text.matchAll(/(?:src|href)="(\/console\/[^"]+)"/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(10);
    for (const link of links) {
      const asset = await send('GET', link);
      expect([link, asset.status, asset.headers.get('x-content-type-options')]).toEqual([link, 200, 'nosniff']);
      const again = await send('GET', link, { headers: { 'if-none-match': asset.headers.get('etag') ?? '' } });
      expect([link, again.status]).toEqual([link, 304]);
    }
  });

  it('is looked for by HEAD, found with a slash, and takes no other method', async () => {
    const answers = await Promise.all([
      send('HEAD', '/console'),
      send('GET', '/console/'),
      send('POST', '/console', { body: {} }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 308, 405]);
    expect([answers[1].headers.get('location'), answers[2].headers.get('allow')]).toEqual(['/console', 'GET, HEAD']);
  });
});
