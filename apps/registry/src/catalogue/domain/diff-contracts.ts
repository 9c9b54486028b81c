import {
  contractChange,
  diffSchemas,
  equalJson,
  type ContractChange,
  type Impact,
  type PriceRule,
  type ToolContract,
  type ToolManifest,
} from '@capability-router/contracts';
import type { JsonObject, JsonValue } from '@capability-router/kernel';
import { diffDestination, withoutDestination } from './diff-destination.js';

export interface ContractDiff {
  /** Is one of the changes breaking? */
  readonly breaking: boolean;
  /** May a call cost more than before? */
  readonly costsMore: boolean;
  /** Do parameters or credentials go to another place than before? */
  readonly changesDestination: boolean;
  /** At most `MAX_CHANGES`. */
  readonly changes: readonly ContractChange[];
  readonly truncated: boolean;
}

/** Changes that one diff lists. */
export const MAX_CHANGES = 500;

/** The changes from one contract to another that callers of a tool must know. */
export function diffContracts(before: ToolManifest | ToolContract, after: ToolManifest | ToolContract): ContractDiff {
  const changes = [
    ...diffSchemas(before.parametersSchema, after.parametersSchema, 'parameters_schema'),
    ...diffGroups(before.oneOfRequired, after.oneOfRequired),
    ...diffPrice(before, after),
    ...diffDestination(before.binding, after.binding),
    ...members.flatMap((member) => diffMember(member, before, after)),
  ];
  return {
    breaking: changes.some(({ impact }) => impact === 'breaking'),
    costsMore: changes.some(({ impact }) => impact === 'cost'),
    changesDestination: changes.some(({ impact }) => impact === 'destination'),
    changes: changes.slice(0, MAX_CHANGES),
    truncated: changes.length > MAX_CHANGES,
  };
}

interface Member {
  readonly path: string;
  readonly of: (tool: ToolManifest & Partial<ToolContract>) => unknown;
  readonly judge: (before: JsonValue | undefined, after: JsonValue | undefined) => readonly [Impact, string];
}

const wording: Member['judge'] = () => ['compatible', 'what people and models read'];
const always =
  (impact: Impact, reason: string): Member['judge'] =>
  () => [impact, reason];

const members: readonly Member[] = [
  { path: 'name', of: (tool) => tool.name, judge: wording },
  { path: 'description', of: (tool) => tool.description, judge: wording },
  { path: 'categories', of: (tool) => tool.categories, judge: wording },
  { path: 'capabilities', of: (tool) => tool.capabilities, judge: always('compatible', 'which CAP queries it serves') },
  { path: 'parameter_descriptions_zh', of: (tool) => tool.parameterDescriptionsZh, judge: wording },
  { path: 'examples', of: (tool) => tool.examples ?? [{ parameters: tool.sampleParameters }], judge: wording },
  { path: 'docs_url', of: (tool) => tool.docsUrl, judge: wording },
  { path: 'provider', of: (tool) => tool.provider, judge: always('compatible', 'the provider, not the tool') },
  { path: 'timeout_ms', of: (tool) => tool.timeoutMs, judge: always('compatible', 'how long a call may take') },
  {
    path: 'result',
    of: (tool) => tool.resultPredicates,
    judge: always('compatible', 'which results count as empty, partial or wrong'),
  },
  { path: 'freshness', of: (tool) => tool.freshness, judge: always('compatible', 'how old the data may be') },
  { path: 'terms', of: (tool) => tool.terms, judge: always('compatible', 'what callers may do with results') },
  { path: 'cache', of: (tool) => tool.cache, judge: always('compatible', 'how old a result may be') },
  {
    path: 'region',
    of: (tool) => tool.region ?? 'global',
    judge: (_before, after) =>
      after === 'global'
        ? ['compatible', 'open to every region']
        : ['breaking', 'callers of some regions may be shut out'],
  },
  {
    path: 'as_of_support',
    of: (tool) => tool.asOfSupport,
    judge: (_before, after) =>
      after === true ? ['compatible', 'as_of may be asked for'] : ['breaking', 'as_of is not supported any more'],
  },
  {
    path: 'binding.result_path',
    of: (tool) => (tool.binding.kind === 'http' ? tool.binding.resultPath : undefined),
    judge: always('breaking', 'the result may have another shape'),
  },
  {
    path: 'binding',
    of: (tool) => withoutDestination(tool.binding),
    judge: always('compatible', 'how the provider is reached; callers see no difference unless its answers differ'),
  },
];

function diffMember(member: Member, before: ToolManifest, after: ToolManifest): ContractChange[] {
  const [old, now] = [plain(member.of(before)), plain(member.of(after))];
  // A manifest without its provider is compared with a contract that has it.
  if (equalJson(old, now) || (member.path === 'provider' && (old === undefined || now === undefined))) return [];
  const [impact, reason] = member.judge(old, now);
  return [contractChange(member.path, impact, reason, old, now)];
}

function diffPrice({ price: before }: ToolManifest, { price: after }: ToolManifest): ContractChange[] {
  const [old, now] = [plain(before), plain(after)];
  if (equalJson(old, now)) return [];
  // The units that an amount is for, free units and tiers are terms of one price: only together do they say what it costs.
  const metering = equalJson(plain(termsOf(before)), plain(termsOf(after)));
  const dearer =
    BigInt(after.amountMicroCredits) > BigInt(before.amountMicroCredits) ||
    BigInt(after.minimumMicroCredits ?? '0') > BigInt(before.minimumMicroCredits ?? '0') ||
    isHitDearer(before, after);
  if (!metering) return [contractChange('price', 'cost', 'another measure of what is charged', old, now)];
  return [
    contractChange(
      'price',
      dearer ? 'cost' : 'compatible',
      dearer ? 'a call may cost more' : 'a call costs no more',
      old,
      now,
    ),
  ];
}

const termsOf = (rule: PriceRule): unknown => {
  const { metering, unitLabel, perUnits, freeUnits, tiers } = rule;
  return { metering, unitLabel, perUnits, freeUnits, tiers };
};

/** Without a price of its own a hit costs what the result costs. */
function isHitDearer({ cacheHitMicroCredits: before }: PriceRule, { cacheHitMicroCredits: after }: PriceRule): boolean {
  return before !== undefined && (after === undefined || BigInt(after) > BigInt(before));
}

type Groups = readonly (readonly string[])[];

function diffGroups(before: Groups, after: Groups): ContractChange[] {
  if (equalJson(plain(before), plain(after))) return [];
  // Parameters that satisfied an old group satisfy a new one that has all its names.
  const harmless = after.every((group) => before.some((old) => old.every((name) => group.includes(name))));
  const reason = harmless ? 'asks for no more than before' : 'a parameter that could be left out may now be needed';
  return [contractChange('one_of_required', harmless ? 'compatible' : 'breaking', reason, plain(before), plain(after))];
}

const plain = (value: unknown): JsonValue | undefined =>
  value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as JsonObject);
