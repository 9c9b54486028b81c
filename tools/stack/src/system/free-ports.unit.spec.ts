import { createServer } from 'node:net';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { freePort, freePorts } from './free-ports.js';

afterEach(() => {
  jest.restoreAllMocks();
});

describe('free ports', () => {
  it('are given once, also where nobody listens yet on those given before and the search begins at the same place', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    const given = [...(await freePorts(1)), ...(await freePorts(2)), ...(await freePorts(1))];
    expect(given).toHaveLength(4);
    expect(new Set(given).size).toBe(4);
  });

  it('are those that are wished for where these are free, as after a restart', async () => {
    const before = await freePort();
    expect(await freePort(before)).toBe(before);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(before, '127.0.0.1', resolve));
    expect(await freePort(before)).not.toBe(before);
    await new Promise((resolve) => server.close(resolve));
  });
});
