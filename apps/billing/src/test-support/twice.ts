import { isBrokenOff } from '@capability-router/service-kit';

const MAX_TRIES = 3;

/** Sends commands twice at once, as a bus that delivers at least once may. */
export class TwinSender {
  /** Tries that PostgreSQL broke off to let another transaction through. */
  retries = 0;

  /** Rejects with whatever else a command fails with. */
  twice<T>(command: () => Promise<T>): Promise<[T, T]> {
    return Promise.all([this.tried(command, 1), this.tried(command, 1)]);
  }

  private async tried<T>(command: () => Promise<T>, number: number): Promise<T> {
    try {
      return await command();
    } catch (error) {
      // The bus, too, answers it with another try.
      if (!isBrokenOff(error) || number >= MAX_TRIES) throw error;
      this.retries += 1;
      return this.tried(command, number + 1);
    }
  }
}
