import { deserialize, serialize } from 'node:v8';

/**
 * Values as the text that the service and its runner processes hand each other. Unlike JSON it keeps numbers that are
 * not finite, and a part that is used many times is there once. Throws `RangeError` for a value that is nested without end.
 */
export const packed = (value: unknown): string => serialize(value).toString('latin1');

export const unpacked = <T>(text: string): T => deserialize(Buffer.from(text, 'latin1')) as T;
