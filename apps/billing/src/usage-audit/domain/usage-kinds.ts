import { usageEventTypes } from '@capability-router/contracts';

export const eventTypesOfKind = {
  discover: ['search', 'search_by_ids'],
  call: ['tool_execute', 'capabilities_query'],
  model: ['model_call'],
} as const satisfies Readonly<Record<string, readonly (typeof usageEventTypes)[number][]>>;

export type UsageKind = keyof typeof eventTypesOfKind;
export const usageKinds = Object.keys(eventTypesOfKind) as readonly UsageKind[];

/** The group of an event type, as the filter of that name has it. Throws for a type that is in none. */
export function kindOf(eventType: string): UsageKind {
  const kind = usageKinds.find((group) => (eventTypesOfKind[group] as readonly string[]).includes(eventType));
  if (kind === undefined) throw new Error(`the usage event type ${eventType} is of no kind`);
  return kind;
}
