import { describe, expect, it } from '@jest/globals';
import { permissiveLicence } from './licences.js';

describe('the licence of an API file', () => {
  it.each([
    [{ name: 'Apache 2.0 License', url: 'http://www.apache.org/licenses/' }, 'Apache-2.0'],
    [{ name: 'Creative Commons Attribution 3.0', url: 'http://creativecommons.org/licenses/by/3.0/' }, 'CC-BY'],
    [{ name: 'MIT' }, 'MIT'],
    [{ name: 'Distributed under the MIT license', url: 'https://opensource.org/licenses/MIT' }, 'MIT'],
    [{ name: 'BSD-3-Clause', url: 'https://example.org/LICENSE' }, 'BSD'],
    [{ name: 'CC0 1.0' }, 'CC0'],
    [{ url: 'https://creativecommons.org/publicdomain/zero/1.0/' }, 'CC0'],
  ])('%j is permissive', (license, expected) => {
    expect(permissiveLicence(license)).toBe(expected);
  });

  it.each([
    [{}],
    [{ name: undefined, url: 7 }],
    [{ name: 'Attribution-NonCommercial-ShareAlike 4.0', url: 'http://creativecommons.org/licenses/by-nc-sa/4.0/' }],
    [{ name: 'Creative Commons Attribution Share-Alike' }],
    [{ name: 'CC BY-SA 4.0' }],
    [{ name: 'CC BY ND' }],
    [{ name: 'AGPLv3.0', url: 'https://www.gnu.org/licenses/agpl-3.0.html' }],
    [{ name: 'LGPL-2.1' }],
    [{ name: 'eBay API License Agreement', url: 'https://go.developer.ebay.com/api-license-agreement' }],
    [{ name: 'Permitted use only', url: 'https://submit.example.org/terms' }],
  ])('%j is not', (license) => {
    expect(permissiveLicence(license)).toBeUndefined();
  });
});
