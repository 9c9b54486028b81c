import { compile } from 'json-p3';

/** Says what is wrong with an expression; undefined where it is an RFC 9535 JSONPath. */
export function jsonPathFault(expression: string): string | undefined {
  try {
    compile(expression);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'unreadable';
  }
}
