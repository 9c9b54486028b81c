import { describe, expect, it } from '@jest/globals';
import { windowHeaders } from './window-headers.js';

const window = { policy: 'search', limit: 120, remaining: 119, endsAtMs: 1_700_000_000_001, secondsLeft: 42 };

describe('the headers of a window of requests', () => {
  it('tell it in the words of the specification and in the standard ones', () => {
    expect(windowHeaders({ ...window, windowSeconds: 60 })).toEqual({
      'x-ratelimit-limit': '120',
      'x-ratelimit-remaining': '119',
      'x-ratelimit-reset': '1700000001',
      'ratelimit-policy': '"search";q=120;w=60',
      ratelimit: '"search";r=119;t=42',
    });
  });

  it('leave out a length that is not always the same', () => {
    expect(windowHeaders(window)['ratelimit-policy']).toBe('"search";q=120');
  });
});
