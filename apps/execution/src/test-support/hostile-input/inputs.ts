import type { ToolManifest } from '@capability-router/contracts';
import type { JsonObject, JsonValue } from '@capability-router/kernel';
import type { Shape } from './shape.js';
import { hostileValues } from './values.js';

/** Hostile parameters of a tool that can be had in any share of its bounds. */
export interface HostileInput {
  readonly name: string;
  /** `share`: up to 1, the whole of what the schema and a body allow. */
  at(share: number): JsonObject;
}

/** Bytes: what fits into a body, with its envelope. */
const MAX_BYTES = 1_000_000;

interface Sized {
  readonly parameter: string;
  readonly shapes: readonly Shape[];
  readonly largest: number;
  /** The beginning of a text that has to have a pattern. */
  readonly prefix: string;
}

/**
 * Hostile inputs of a tool, made from its schema: each parameter with each shape, all parameters of a type together, and
 * each value of an option with some of them. Not all of them keep to the schema in every size.
 */
export function hostileInputs(tool: ToolManifest): readonly HostileInput[] {
  const properties = (tool.parametersSchema['properties'] ?? {}) as Readonly<Record<string, JsonObject>>;
  const sample = tool.sampleParameters;
  const sized: Sized[] = Object.entries(properties).flatMap(([parameter, schema]) => {
    const value = sample[parameter];
    const { shapes, largest } = hostileValues(schema, value);
    const prefix = typeof value === 'string' && schema['pattern'] !== undefined ? value : '';
    return shapes.length === 0 ? [] : [{ parameter, shapes, largest, prefix }];
  });
  const alone = sized.flatMap((one) => one.shapes.map((shape) => inputOf(sample, [[one, shape]])));
  const together = sized.length < 2 ? [] : togetherOf(sample, sized);
  const options = Object.entries(properties).flatMap(([parameter, { type, enum: values }]) =>
    (Array.isArray(values) ? values : type === 'boolean' ? [true, false] : []).flatMap((value) =>
      [...alone, ...together]
        .filter((_, index) => index % OPTION_SHAPES === 0)
        .map((input) => ({
          name: `${input.name}, ${parameter}: ${JSON.stringify(value)}`,
          at: (share: number) => ({ ...input.at(share), [parameter]: value }),
        })),
    ),
  );
  return [...alone, ...together, ...options];
}

/** One in so many inputs is tried with each value of an option. */
const OPTION_SHAPES = 12;

/** All parameters of one type with the same shape, and with shapes that differ. */
function togetherOf(sample: JsonObject, sized: readonly Sized[]): HostileInput[] {
  const [first] = sized;
  if (first === undefined) return [];
  return first.shapes.flatMap((shape, index) => {
    const alike = sized.filter(({ shapes }) => shapes[index]?.name === shape.name);
    if (alike.length < 2) return [];
    const choose = (skip: number): HostileInput =>
      inputOf(
        sample,
        alike.map((one, place) => [one, one.shapes[(index + place * skip) % one.shapes.length] ?? shape]),
      );
    return [choose(0), choose(1)];
  });
}

function inputOf(sample: JsonObject, chosen: readonly (readonly [Sized, Shape])[]): HostileInput {
  const build = (share: number): JsonObject => ({
    ...sample,
    ...Object.fromEntries(chosen.map(([one, shape]) => [one.parameter, valueOf(one, shape, share)])),
  });
  let fits: number | undefined;
  return {
    name: chosen.map(([{ parameter }, { name }]) => `${parameter}: ${name}`).join(', '),
    at(share) {
      fits ??= Math.min(1, MAX_BYTES / Buffer.byteLength(JSON.stringify(build(1))));
      return build(share * fits);
    },
  };
}

function valueOf({ largest, prefix }: Sized, shape: Shape, share: number): JsonValue {
  const size = Math.max(1, Math.floor(largest * share));
  const value = shape.of(Math.max(1, size - prefix.length));
  return typeof value === 'string' && prefix !== '' ? prefix + value : value;
}
