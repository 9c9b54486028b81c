import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';

/** Paths that never reach a log line, wherever a request or a set of headers is logged. */
const redactedPaths = ['authorization', 'x-account-assertion', 'api_key', 'credential', 'password'].flatMap((name) => [
  `["${name}"]`,
  `*["${name}"]`,
  `*.headers["${name}"]`,
]);

/** JSON lines on standard output, or to `destination`, one per event, with the service's name on each. */
export function createLogger(service: string, level: string, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: pino.stdSerializers.err, cause: pino.stdSerializers.err },
    redact: { paths: redactedPaths, censor: '[redacted]' },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
