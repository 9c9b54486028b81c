import type { INestApplicationContext } from '@nestjs/common';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { PATTERN_METADATA } from '@nestjs/microservices/constants.js';

/** Throws where an event handler is a method of a provider, which Nest subscribes to nothing. */
export function refuseStrayHandlers(app: Pick<INestApplicationContext, 'get'>): void {
  const scanner = new MetadataScanner();
  for (const { providers } of app.get(ModulesContainer).values()) {
    for (const { instance, metatype } of providers.values()) {
      const made: unknown =
        typeof instance === 'object' && instance !== null ? Object.getPrototypeOf(instance) : undefined;
      const prototype: unknown = made ?? metatype?.prototype;
      if (typeof prototype !== 'object' || prototype === null) continue;
      const key = scanner.getAllMethodNames(prototype).find((name) => {
        const method = (prototype as Record<string, unknown>)[name];
        return typeof method === 'function' && Reflect.hasMetadata(PATTERN_METADATA, method);
      });
      if (key === undefined) continue;
      throw new Error(
        `the event handler ${prototype.constructor.name}.${key} is in a provider, where it hears nothing: ` +
          'make its class a @Controller() and list it among the controllers of its module',
      );
    }
  }
}
