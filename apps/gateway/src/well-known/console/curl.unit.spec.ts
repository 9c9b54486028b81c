import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { curlOfCall } from '../../../console/dist/curl.js';
import { parseJson } from '../../../console/dist/json.js';

/** The words that a shell makes of the command, in place of running it. */
function wordsOf(command: string): string[] {
  const script = command.replace(/^curl /, `printf '%s\\0' `);
  const output = execFileSync('/bin/sh', ['-c', script], { env: { API_KEY: 'sk-key' }, encoding: 'utf8' });
  return output.split('\0').slice(0, -1);
}

describe('the command of a call', () => {
  it('is one request with the parameters as the tool gives them', () => {
    const parameters = parseJson('{"expression": "6 * 7", "precision": 2, "share": 0.10}');
    expect(wordsOf(curlOfCall('https://router.example', 'formula.expression.evaluate.v1', parameters))).toEqual([
      '-sS',
      'https://router.example/api/v1/tools/execute?tool_id=formula.expression.evaluate.v1',
      '-H',
      'Authorization: Bearer sk-key',
      '-H',
      'Content-Type: application/json',
      '-d',
      '{"parameters":{"expression":"6 * 7","precision":2,"share":0.10}}',
    ]);
  });

  it('runs nothing that a tool or its example says', () => {
    const hostile = `'; touch /tmp/x; echo "$(id)\`id\`" '\n\u202e!!`;
    const words = wordsOf(curlOfCall('https://router.example', `a'$(id)`, { text: hostile }));
    expect(words).toHaveLength(8);
    expect(words[1]).toBe(`https://router.example/api/v1/tools/execute?tool_id=${encodeURIComponent("a'$(id)")}`);
    expect(JSON.parse(words[7] ?? '')).toEqual({ parameters: { text: hostile } });
    expect(words[7]).toContain('\\u202e');
  });
});
