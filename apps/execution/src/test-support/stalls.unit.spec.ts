import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { stallsDuring, threadCpuMs } from './stalls.js';

function workFor(milliseconds: number): void {
  const until = threadCpuMs() + milliseconds;
  while (threadCpuMs() < until);
}

it('counts each time that the thread works on and on, and neither waiting nor work in small pieces', async () => {
  const stalls = await stallsDuring(async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      await sleep(50);
      workFor(400);
      await sleep(50);
    }
  });
  expect(stalls).toBe(3);
  expect(
    await stallsDuring(async () => {
      await sleep(500);
      for (let turn = 0; turn < 20; turn += 1) {
        workFor(30);
        await sleep(20);
      }
    }),
  ).toBe(0);
});
