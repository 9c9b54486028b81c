/** The part of pino that the bus uses. */
export interface BusLogger {
  error(bindings: object, message: string): void;
  warn(bindings: object, message: string): void;
  info(bindings: object, message: string): void;
  debug(bindings: object, message: string): void;
}

export const silentLogger: BusLogger = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
};
