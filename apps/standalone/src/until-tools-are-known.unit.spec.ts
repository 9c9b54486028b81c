import { describe, expect, it } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { untilToolsAreKnown } from './until-tools-are-known.js';

describe('the doors of a standalone', () => {
  it('open once every service that keeps copies has every published tool', async () => {
    const known = { registry: 3, execution: 1 };
    let isOpen = false;
    const opening = untilToolsAreKnown([
      {},
      { knownTools: () => known.registry },
      { knownTools: () => known.execution },
    ]).then(() => (isOpen = true));
    await setImmediate();
    expect(isOpen).toBe(false);
    known.execution = 3;
    await opening;
    expect(isOpen).toBe(true);
  });
});
