import { nearMisses } from '@capability-router/service-kit/config';
import { describe, expect, it } from '@jest/globals';
import { settingNames } from './configuration.js';

describe('names of settings', () => {
  // A service knows its own settings only: one of another service that looked like them would be told as a slip of the pen.
  it('are never nearly those of others', () => {
    const names = settingNames();
    expect(names.length).toBeGreaterThan(100);
    const alike = names.flatMap((name) =>
      nearMisses(
        { [name]: '' },
        names.filter((other) => other !== name),
      ),
    );
    expect(alike).toEqual([]);
  });
});
