import { imageOptions, npmStartOptions } from '@capability-router/tools-stack';
import { describe, expect, it } from '@jest/globals';

describe('the options with which Node is started', () => {
  it.each([
    ['npm start', npmStartOptions],
    ['the images', imageOptions],
  ])('let a service give memory back, and collect all garbage seldom: %s', (_door, options) => {
    expect(options()).toEqual(expect.arrayContaining(['--expose-gc', '--heap-growing-percent=50']));
  });
});
