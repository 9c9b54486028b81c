import { describe, expect, it } from '@jest/globals';
import { answerTo } from '../bin/command-line.mjs';
import { standaloneEnvSpec } from './config.js';

describe('the command line of standalone', () => {
  it('starts only where it is given nothing', () => {
    expect(answerTo([])).toBeUndefined();
  });

  it.each([['--help'], ['-h']])('tells with %s the settings that people need, and where the others are', (option) => {
    const answer = answerTo([option]);
    expect(answer?.code).toBe(0);
    const needed = ['PORT', 'HOST', 'DATA_DIR', 'PUBLIC_URL', 'METRICS_PORT', 'LOG_LEVEL'];
    for (const name of needed) expect(answer?.text).toMatch(new RegExp(`^  ${name} `, 'm'));
    expect(Object.keys(standaloneEnvSpec)).toEqual(expect.arrayContaining(needed));
    expect(answer?.text).toContain('docs/configuration.md');
  });

  it('tells its version', () => {
    expect(answerTo(['--version'])).toEqual({ code: 0, text: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as unknown });
  });

  it.each([['--port=80'], ['--helpme'], ['start'], ['--help=1']])('refuses %s by name, in one line', (argument) => {
    const answer = answerTo([argument]);
    expect(answer).toEqual({ code: 2, text: expect.stringContaining(argument.replace(/=.*/, '')) as unknown });
    expect(answer?.text.trim().split('\n')).toHaveLength(1);
  });
});
