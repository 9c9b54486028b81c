import { describe, expect, it } from '@jest/globals';
import { shownUrl } from './shown-url.js';

describe('an address in an answer', () => {
  it.each([
    ['https://a.example/openapi.json', 'https://a.example/openapi.json'],
    ['https://a.example:8443/d?token=s3cret&v=2#s3cret', 'https://a.example:8443/d?token=***&v=***'],
    ['https://a.example/d?s3cret', 'https://a.example/d?***'],
    ['https://a.example/d?k=s3=cret&', 'https://a.example/d?k=***&'],
    ['https://user:s3cret@a.example/d', 'https://a.example/d'],
    ['//user:s3cret@a.example/d?k=s3cret', '//a.example/d'],
    ['https://a.example/?', 'https://a.example/'],
  ])('%s is shown as %s', (address, shown) => {
    expect(shownUrl(address)).toBe(shown);
  });

  it('has a bounded length', () => {
    expect(shownUrl(`https://a.example/${'x'.repeat(1_000)}`)).toHaveLength(200);
  });
});
