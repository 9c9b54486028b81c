import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { ModuleMocker } from 'jest-mock';
import { changedSinceBuild, compiledSpec, packagesOf } from './compiled-spec.js';
import { provideGlobals, useGlobals, type SpecGlobals } from './globals.js';

interface ProjectConfig {
  readonly rootDir: string;
}

/** Where jest-circus looks for the time-out that `jest.setTimeout` asks for. */
const TIME_OUT = Symbol.for('TEST_TIMEOUT_SYMBOL');
/** Where jest-circus keeps what listens to its events; a file that finds none begins with its own. */
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');
const require = createRequire(import.meta.url);

/**
 * Jest's `runtime`: what loads a spec file and the modules that it imports. Jest's own gives every file modules of its
 * own, transformed on the way, and for most of our files that loading costs more than their tests. This one lets Node
 * load what the compiler has built, so that a worker loads each module once for all of its files. Jest's runner, its
 * time-outs, hooks, workers and reports stay as they are. Modules cannot be mocked, which no spec here does.
 */
export default class NativeRuntime {
  private readonly mocker: ModuleMocker;

  constructor(config: ProjectConfig, environment: { readonly moduleMocker: ModuleMocker }) {
    this.mocker = environment.moduleMocker;
    refuseStaleBuild(config.rootDir);
    provideGlobals();
  }

  /** Every file of jest's that belongs to a single spec file is loaded anew, so that none sees the tests of another. */
  requireInternalModule(path: string): unknown {
    Reflect.deleteProperty(globalThis, EVENT_HANDLERS);
    delete require.cache[path];
    return require(path);
  }

  requireModule(path: string): unknown {
    return require(path);
  }

  unstable_shouldLoadAsEsm(): boolean {
    return true;
  }

  async unstable_importModule(path: string): Promise<unknown> {
    const compiled = path.endsWith('.ts') ? compiledSpec(path) : path;
    if (!existsSync(compiled)) throw new Error(`${compiled} is not there: npm run build`);
    return import(pathToFileURL(compiled).href);
  }

  setGlobalsForRuntime(globals: SpecGlobals): void {
    const jest = {
      fn: this.mocker.fn.bind(this.mocker),
      spyOn: this.mocker.spyOn.bind(this.mocker),
      restoreAllMocks: () => this.restoreAllMocks(),
      setTimeout: (ms: number) => {
        Reflect.set(globalThis, TIME_OUT, ms);
        return jest;
      },
    };
    useGlobals({ ...globals, jest });
  }

  restoreAllMocks(): void {
    this.mocker.restoreAllMocks();
  }

  /** The maps of compiled files: the compiler writes one beside each. */
  getSourceMaps(): ReadonlyMap<string, string> {
    return new MapsBesideFiles();
  }

  getAllCoverageInfoCopy(): undefined {
    return undefined;
  }

  /** Jest tells apart whether a test or jest itself loads a module, for errors after a teardown; nothing is unloaded here. */
  enterTestCode(): void {
    // Nothing to note.
  }
  leaveTestCode(): void {
    // Nothing to note.
  }

  teardown(): void {
    this.restoreAllMocks();
    Reflect.deleteProperty(globalThis, TIME_OUT);
    useGlobals({});
  }
}

class MapsBesideFiles extends Map<string, string> {
  override get(file: string): string | undefined {
    const map = `${file}.map`;
    return file.includes('/dist/') && !file.includes('/node_modules/') && existsSync(map) ? map : undefined;
  }
  override has(file: string): boolean {
    return this.get(file) !== undefined;
  }
}

let checked = false;

/** @throws Error that names the sources that are newer than the last build; once in a process */
function refuseStaleBuild(root: string): void {
  if (checked) return;
  const changed = packagesOf(root).flatMap((folder) => changedSinceBuild(root, folder));
  if (changed.length > 0)
    throw new Error(`${changed.slice(0, 5).join(', ')} changed after the last build: npm run build`);
  checked = true;
}
