import { expressionsOf, type CapabilityCandidate, type ValueMapping } from '@capability-router/contracts';
import type { JsonValue } from '@capability-router/kernel';
import type { Computed, JsonataPool } from '@capability-router/provider-kit/jsonata';
import { LOGGER, type ServiceRuntime } from '@capability-router/service-kit';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';

/** The values that the expressions of candidates made, by candidate; one whose mapping has none is not in it. */
export type ComputedByCandidate = ReadonlyMap<CapabilityCandidate, Computed>;

const nothing: ComputedByCandidate = new Map();

/** Evaluates the JSONata of mappings. Most contracts have none, so what it takes is loaded for the first that has. */
@Injectable()
export class Expressions implements OnApplicationShutdown {
  private pool: Promise<JsonataPool> | undefined;

  constructor(@Inject(LOGGER) private readonly logger: Pick<ServiceRuntime['logger'], 'error'>) {}

  /** Undefined where the mapping has no expression. */
  async compute(
    mapping: ValueMapping | undefined,
    source: JsonValue,
    { toolId }: CapabilityCandidate,
  ): Promise<Computed | undefined> {
    const expressions = expressionsOf(mapping);
    if (expressions === undefined) return undefined;
    this.pool ??= this.open();
    return (await this.pool).compute(expressions, JSON.stringify(source), toolId);
  }

  /** For the parameters of a request, all candidates at once. */
  async ofParameters(candidates: readonly CapabilityCandidate[], parameters: JsonValue): Promise<ComputedByCandidate> {
    const written = candidates.filter((candidate) => expressionsOf(candidate.parameters) !== undefined);
    if (written.length === 0) return nothing;
    const computed = new Map<CapabilityCandidate, Computed>();
    const compute = async (candidate: CapabilityCandidate): Promise<void> => {
      const made = await this.compute(candidate.parameters, parameters, candidate);
      if (made !== undefined) computed.set(candidate, made);
    };
    await Promise.all(written.map(compute));
    return computed;
  }

  async onApplicationShutdown(): Promise<void> {
    await (await this.pool)?.close();
  }

  private async open(): Promise<JsonataPool> {
    const jsonata = await import('@capability-router/provider-kit/jsonata');
    return new jsonata.JsonataPool({
      onFault: (err) => this.logger.error({ err }, 'a process that evaluates JSONata failed'),
    });
  }
}
