import type { ValueMapping } from '@capability-router/contracts';
import type { JsonObject } from '@capability-router/kernel';
import { bindingFault, memberNames, requiredNames, sourceMember, type BindingFault } from './binding-fault.js';
import type { BoundTool } from './bound-tool.js';

/** Does the tool get what it needs, and nothing that it does not know? Without a mapping it gets the capability's own parameters. */
export function checkParameters(
  capabilityParameters: JsonObject,
  mapping: ValueMapping | undefined,
  tool: BoundTool | undefined,
): BindingFault[] {
  const offered = memberNames(capabilityParameters);
  const unfounded = Object.entries(mapping ?? {}).flatMap(([name, mapped]) => {
    const source = sourceMember(mapped);
    if (source === undefined || offered.includes(source)) return [];
    return [bindingFault(['parameters', name], `The capability has no parameter "${source}"`)];
  });
  if (tool === undefined) return unfounded;
  const given = mapping === undefined ? offered : Object.keys(mapping);
  return [...unfounded, ...unknownOf(given, mapping !== undefined, tool), ...missingOf(given, tool)];
}

function unknownOf(
  given: readonly string[],
  isMapped: boolean,
  { toolId, parametersSchema }: BoundTool,
): BindingFault[] {
  const known = memberNames(parametersSchema);
  return given
    .filter((name) => !known.includes(name))
    .map((name) =>
      isMapped
        ? bindingFault(['parameters', name], `${toolId} has no parameter "${name}"`, 'extra_forbidden')
        : bindingFault(
            ['parameters'],
            `${toolId} has no parameter "${name}", which the capability has. Map the parameters`,
          ),
    );
}

function missingOf(given: readonly string[], { toolId, parametersSchema, oneOfRequired }: BoundTool): BindingFault[] {
  const missing = requiredNames(parametersSchema)
    .filter((name) => !given.includes(name))
    .map((name) =>
      bindingFault(['parameters', name], `${toolId} needs "${name}". Map it, or give it a value`, 'missing'),
    );
  const groups = oneOfRequired
    .filter((group) => !group.some((name) => given.includes(name)))
    .map((group) => bindingFault(['parameters'], `${toolId} needs one of: ${group.join(', ')}`, 'missing'));
  return [...missing, ...groups];
}
