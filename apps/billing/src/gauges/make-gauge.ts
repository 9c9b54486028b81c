import { Gauge, type Registry } from 'prom-client';

export type MakeGauge = <Label extends string = never>(name: string, help: string, ...labels: Label[]) => Gauge<Label>;

/** Makes gauges of one registry, whose names begin with `billing_`. */
export const gaugesOf =
  (registry: Registry): MakeGauge =>
  (name, help, ...labelNames) =>
    new Gauge({ name: `billing_${name}`, help, labelNames, registers: [registry] });
