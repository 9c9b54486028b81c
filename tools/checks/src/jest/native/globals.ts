import * as nodeModule from 'node:module';

/** The names that a spec imports from `@jest/globals`. */
export interface SpecGlobals {
  readonly [name: string]: unknown;
}

/** The parts used here of what Node has since 22.15, and the types of the oldest Node that starts do not know. */
interface ModuleHooks {
  registerHooks?(hooks: {
    resolve(specifier: string, context: unknown, next: (specifier: string, context: unknown) => object): object;
    load(url: string, context: unknown, next: (url: string, context: unknown) => object): object;
  }): void;
}

const names = ['afterAll', 'afterEach', 'beforeAll', 'beforeEach', 'describe', 'expect', 'it', 'jest', 'test'] as const;
const URL_OF_GLOBALS = 'capability-router-jest:globals';

let current: SpecGlobals = {};

/** From now on, what every module has imported from `@jest/globals` means these. */
export function useGlobals(globals: SpecGlobals): void {
  current = globals;
}

/**
 * Modules stay loaded from one spec file to the next, and each file has globals of its own; what a module holds is
 * therefore a stand-in that asks for those of the file that runs.
 */
function standInFor(name: string): unknown {
  const target = (): object => {
    const value = current[name];
    if (typeof value !== 'function' && (typeof value !== 'object' || value === null))
      throw new Error(`@jest/globals has no ${name} outside of a test`);
    return value;
  };
  return new Proxy(() => undefined, {
    apply: (_, self, args) => Reflect.apply(target() as (...all: unknown[]) => unknown, self, args as unknown[]),
    get: (_, key) => Reflect.get(target(), key) as unknown,
    has: (_, key) => Reflect.has(target(), key),
  });
}

/**
 * Makes `import … from '@jest/globals'` work in modules that Node itself loads; a second call changes nothing.
 *
 * @throws Error on a Node that cannot
 */
export function provideGlobals(): void {
  const shared = globalThis as { [URL_OF_GLOBALS]?: SpecGlobals };
  if (shared[URL_OF_GLOBALS] !== undefined) return;
  const { registerHooks } = nodeModule as ModuleHooks;
  if (registerHooks === undefined)
    throw new Error(`The tests need Node 22.15 or newer, or an active LTS; this is ${process.version}`);
  shared[URL_OF_GLOBALS] = Object.fromEntries(names.map((name) => [name, standInFor(name)]));
  const source = `export const { ${names.join(', ')} } = globalThis['${URL_OF_GLOBALS}'];`;
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === '@jest/globals'
        ? { url: URL_OF_GLOBALS, format: 'module', shortCircuit: true }
        : next(specifier, context),
    load: (url, context, next) =>
      url === URL_OF_GLOBALS ? { format: 'module', source, shortCircuit: true } : next(url, context),
  });
}
