import { describe, expect, it } from '@jest/globals';
import { fragmentOf, pageOf, placeOf } from '../../../console/dist/place.js';

describe('the fragment of the address', () => {
  it.each(['#credits', '#usage?kind=call&page=2', '#usage/018f', '#search/a.b%2Fc.v1?search_id=srch_1'])(
    'leads to a place and back: %s',
    (fragment) => expect(fragmentOf(placeOf(fragment))).toBe(fragment),
  );

  it.each(['', '#', '#nowhere', '#__proto__', '#/x'])('that leads nowhere leads to the credits: "%s"', (fragment) =>
    expect(placeOf(fragment).view).toBe('credits'),
  );

  it('has a page from 1 on, whatever it says', () => {
    const pages = ['3', '0', '-1', '1.5', 'x', '1e99'].map((page) => pageOf({ page }));
    expect([...pages, pageOf({})]).toEqual([3, 1, 1, 1, 1, 1, 1]);
    expect(() => placeOf('#usage/%zz')).not.toThrow();
  });
});
