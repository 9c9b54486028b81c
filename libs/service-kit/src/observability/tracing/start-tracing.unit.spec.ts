import { describe, expect, it } from '@jest/globals';
import { ConfigError, loadEnv } from '../../config/load-env.js';
import { tracingEnvSpec } from '../../config/tracing-env.js';
import { startTracing } from './start-tracing.js';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
const startWith = (env: NodeJS.ProcessEnv) => startTracing('billing', loadEnv(tracingEnvSpec, env));

describe('the start of traces', () => {
  it('is none without a place for spans', async () => {
    expect(await startWith({})).toBeUndefined();
    expect(await startWith({ OTEL_TRACES_SAMPLER_ARG: '0.5' })).toBeUndefined();
  });

  it('continues the trace that a request came with, also where none of its spans is kept', async () => {
    const tracing = await startWith({ ...ENDPOINT, OTEL_TRACES_SAMPLER_ARG: '0' });
    const cause = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 0 };
    const span = tracing?.beginRequest('POST /x', cause, {});
    expect(span?.traceparent).toMatch(new RegExp(`^00-${cause.traceId}-(?!${cause.spanId})[0-9a-f]{16}-00$`));
    span?.end({}, false);
    await tracing?.stop();
  });

  it.each(['a', 'a=%', '=b', 'a=b,c'])('refuses attributes that cannot be read: %s', async (text) => {
    await expect(startWith({ ...ENDPOINT, OTEL_RESOURCE_ATTRIBUTES: text })).rejects.toThrow(ConfigError);
  });

  it.each(['-0.1', '1.1', '1e-3', 'all'])('refuses a share that is none: %s', async (text) => {
    const env = { ...ENDPOINT, OTEL_TRACES_SAMPLER_ARG: text };
    await expect((async () => startWith(env))()).rejects.toThrow(/from 0 to 1/);
  });
});
