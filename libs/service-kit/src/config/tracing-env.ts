import type { EnvValues } from './load-env.js';
import { fraction, text, url } from './validators.js';

/** Variables of traces, by the names that the specification of OpenTelemetry gives them. */
export const tracingEnvSpec = {
  OTEL_EXPORTER_OTLP_ENDPOINT: url(['http', 'https'], {
    desc: 'Where spans are sent, by OTLP over HTTP in protobuf: `/v1/traces` is put behind it. Without it and OTEL_EXPORTER_OTLP_TRACES_ENDPOINT nothing is traced. The exporter reads `OTEL_EXPORTER_OTLP_HEADERS`, `_COMPRESSION`, `_CERTIFICATE`, `_CLIENT_KEY` and `_CLIENT_CERTIFICATE` as the specification has them.',
    default: undefined,
    example: 'http://otel-collector.monitoring:4318',
  }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url(['http', 'https'], {
    desc: 'The same as a whole URL, to which nothing is added; it counts before OTEL_EXPORTER_OTLP_ENDPOINT.',
    default: undefined,
    example: 'https://otlp.example.com/v1/traces',
  }),
  OTEL_TRACES_SAMPLER_ARG: fraction({
    desc: 'Share of traces that is kept, 0 to 1. The gateway decides it, whatever a caller says, and the services keep what it keeps: set the same on all.',
    default: 1,
    example: '0.01',
  }),
  OTEL_RESOURCE_ATTRIBUTES: text({
    desc: 'What else every span says of where it was made. `service.name` is the name of the service, `service.namespace` is `capability-router`.',
    default: undefined,
    example: 'deployment.environment.name=production,k8s.cluster.name=eu-1',
  }),
};

export type TracingConfig = EnvValues<typeof tracingEnvSpec>;
