import { ConfigError } from '@capability-router/service-kit';
import { OperatorError } from './system/programs.js';

/** Runs a command of a person: what that person can mend is said in a sentence, anything else keeps its stack. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    console.error(error instanceof OperatorError || error instanceof ConfigError ? error.message : error);
    process.exitCode = 1;
  }
}
