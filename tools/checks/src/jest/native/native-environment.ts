import { ModuleMocker } from 'jest-mock';

/**
 * Jest's `testEnvironment`: the process itself, without a context of its own for each file, so that modules that stay
 * loaded and the specs that use them agree on what an `Error` is.
 */
export default class NativeEnvironment {
  readonly global = globalThis;
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly fakeTimers = null;
  readonly fakeTimersModern = null;
  private readonly console = globalThis.console;
  private readonly exit = process.exit;

  /** Node resolves modules by its own conditions. */
  exportConditions(): string[] {
    return ['node'];
  }

  getVmContext(): null {
    return null;
  }

  async setup(): Promise<void> {
    // Nothing is prepared.
  }

  /** Jest has replaced both for the file that ends. */
  async teardown(): Promise<void> {
    globalThis.console = this.console;
    process.exit = this.exit;
  }
}
