import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';
import { ToolInputError } from './tool-input-error.js';

/** Typed reading of validated parameters. A throw here means that the schema and the operation disagree. */

const wrong = (name: string, type: string): never => {
  throw new ToolInputError(`Parameter "${name}" must be ${type}.`);
};

export function optionalText(parameters: JsonObject, name: string): string | undefined {
  const value = parameters[name];
  if (value === undefined) return undefined;
  return typeof value === 'string' ? value : wrong(name, 'a string');
}

export function text(parameters: JsonObject, name: string, fallback?: string): string {
  return optionalText(parameters, name) ?? fallback ?? wrong(name, 'a string');
}

export function optionalNumber(parameters: JsonObject, name: string): number | undefined {
  const value = parameters[name];
  if (value === undefined) return undefined;
  return typeof value === 'number' ? value : wrong(name, 'a number');
}

export function number(parameters: JsonObject, name: string, fallback?: number): number {
  return optionalNumber(parameters, name) ?? fallback ?? wrong(name, 'a number');
}

export function flag(parameters: JsonObject, name: string, fallback: boolean): boolean {
  const value = parameters[name];
  if (value === undefined) return fallback;
  return typeof value === 'boolean' ? value : wrong(name, 'a boolean');
}

export function list<T extends JsonValue>(
  parameters: JsonObject,
  name: string,
  isItem: (value: JsonValue) => value is T,
): T[] {
  const value = parameters[name];
  return Array.isArray(value) && value.every(isItem) ? value : wrong(name, 'a list');
}

export function object(parameters: JsonObject, name: string): JsonObject {
  const value = parameters[name] ?? {};
  return isJsonObject(value) ? value : wrong(name, 'an object');
}

export const isText = (value: JsonValue): value is string => typeof value === 'string';
export const isNumber = (value: JsonValue): value is number => typeof value === 'number';
export const isObject = (value: JsonValue): value is JsonObject => isJsonObject(value);
