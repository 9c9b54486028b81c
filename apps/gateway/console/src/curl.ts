import type { Json } from './json.js';

/** One word of a POSIX shell, whatever is in it. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Characters that nobody sees, or that turn the direction of what is read, are written as escapes: whoever pastes a command has read it. */
const visible = (json: string): string =>
  json.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  );

/** A call as a command for a terminal, in which `API_KEY` has the key. */
export function curlOfCall(origin: string, toolId: string, parameters: Json): string {
  const url = `${origin}/api/v1/tools/execute?tool_id=${encodeURIComponent(toolId)}`;
  return [
    `curl -sS ${shellWord(url)}`,
    `  -H "Authorization: Bearer $API_KEY" -H 'Content-Type: application/json'`,
    `  -d ${shellWord(visible(JSON.stringify({ parameters })))}`,
  ].join(' \\\n');
}
