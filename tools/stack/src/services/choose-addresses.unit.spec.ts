import { contexts } from '@capability-router/contracts';
import { describe, expect, it } from '@jest/globals';
import { freePort } from '../system/free-ports.js';
import { chooseAddresses } from './choose-addresses.js';

describe('the addresses of the replicas', () => {
  it('are ports of their own, none of which other programs look for', async () => {
    const addresses = Object.values(await chooseAddresses(2)).flat();
    const ports = addresses.flatMap(({ port, metricsPort }) => [port, metricsPort]);
    expect(addresses).toHaveLength(contexts.length * 2);
    expect(new Set(ports).size).toBe(ports.length);
    expect(Math.min(...ports)).toBeGreaterThanOrEqual(20_000);
  });

  it('give the first gateway the port wished for', async () => {
    const wished = await freePort();
    const { gateway } = await chooseAddresses(2, wished);
    expect(gateway.map(({ port }) => port === wished)).toEqual([true, false]);
  });
});
