import { integer, list, loadEnv, oneOf, text, tracingEnvSpec, url } from '@capability-router/service-kit/config';

export const DEFAULT_PORT = 8080;

/** Variables of standalone itself; those of the services, but for their databases and addresses, are honoured too. */
export const standaloneEnvSpec = {
  PORT: integer({
    desc: 'Port of the gateway. Where it is not set and 8080 is taken, a free port is chosen.',
    default: undefined,
    min: 0,
    max: 65_535,
  }),
  HOST: text({ desc: 'Address the gateway listens on; `0.0.0.0` opens it to the network.', default: '127.0.0.1' }),
  METRICS_PORT: integer({
    desc: 'Port of `/metrics` on the loopback interface; 0 chooses a free one.',
    default: 0,
    min: 0,
    max: 65_535,
  }),
  DATA_DIR: text({ desc: 'Folder that holds the database, keys, full results and `demo.json`.', default: './data' }),
  PUBLIC_URL: url(['http', 'https'], {
    desc: 'Origin under which callers reach the gateway; links are built from it.',
    default: undefined,
  }),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    desc: 'Least level that is logged.',
    default: 'warn',
  }),
  TRUSTED_PROXIES: list({
    desc: 'Addresses of proxies whose X-Forwarded-For is believed, comma-separated.',
    default: [],
  }),
  ...tracingEnvSpec,
};

export type StandaloneConfig = ReturnType<typeof loadStandaloneConfig>;

export function loadStandaloneConfig(env: NodeJS.ProcessEnv) {
  return loadEnv(standaloneEnvSpec, env);
}
