import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { parkedCommand } from './parked-command.js';

const neverOpened = (): Promise<never> => Promise.reject(new Error('the database was opened'));

describe('the command for parked events', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it.each([[['replay', 'registry.statistics']], [['replay', 'a', 'b', 'c']], [['list', 'a']], [['drop']], [[]]])(
    'says of %j how it is used, with exit code 2, and opens nothing',
    async (args) => {
      const written = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
      expect(await parkedCommand(args, neverOpened)).toBe(2);
      expect(written.mock.calls.flat().join('')).toMatch(/usage: .*list.*replay GROUP KEY/);
    },
  );
});
