import { expect, it } from '@jest/globals';
import { parseStdioCommands } from './stdio-commands.js';

it('commands are read by name', () => {
  const commands = {
    files: { command: 'mcp-files', args: ['/srv'], env: { A: 'b' }, cwd: '/tmp' },
    bare: { command: 'x' },
  };
  expect(parseStdioCommands(JSON.stringify(commands))).toEqual(commands);
});

it.each([
  ['{', 'must be JSON'],
  ['[]', 'must be a JSON object of commands by name'],
  ['{"a":"ls -l"}', '"a" must be an object with "command"'],
  ['{"a":{}}', '"a" needs "command", the file to run'],
  ['{"a":{"command":"x","args":"-l"}}', '"a" has "args" that are not a list of texts'],
  ['{"a":{"command":"x","env":{"A":1}}}', '"a" has "env" that is not texts by name'],
  ['{"a":{"command":"x","shell":true}}', '"a" has an unknown member "shell"'],
])('%s is refused: %s', (text, message) => {
  expect(() => parseStdioCommands(text)).toThrow(new Error(message));
});
