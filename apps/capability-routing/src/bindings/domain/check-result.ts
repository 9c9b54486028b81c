import { mapResult, resultFieldsOf, type MappedValue, type ValueMapping } from '@capability-router/contracts';
import type { JsonObject } from '@capability-router/kernel';
import { bindingFault, memberNames, requiredNames, sourceMember, type BindingFault } from './binding-fault.js';

/** Does the result have every field that is promised? Without a mapping it is the tool's own, of which `toolResult` may say something. */
export function checkResult(
  capabilityResult: JsonObject,
  mapping: ValueMapping | undefined,
  toolResult: JsonObject | undefined,
): BindingFault[] {
  // An open schema excludes nothing: what it does not describe may be there.
  const closed = toolResult?.['additionalProperties'] === false ? memberNames(toolResult) : undefined;
  const promised = requiredNames(capabilityResult);
  if (mapping === undefined) {
    return promised
      .filter((name) => closed?.includes(name) === false)
      .map((name) => bindingFault(['result', name], `The tool's result has no "${name}". Map it`, 'missing'));
  }
  const missing = promised
    .filter((name) => !Object.hasOwn(mapping, name))
    .map((name) =>
      bindingFault(['result', name], 'The contract promises this field. Map it, or give it a value', 'missing'),
    );
  const unfit = Object.entries(mapping).flatMap(([name, mapped]) => {
    const fault = misfitOf(capabilityResult, name, mapped) ?? unfoundedOf(mapped, closed);
    return fault === undefined ? [] : [bindingFault(['result', name], fault)];
  });
  return [...missing, ...unfit];
}

/** A constant is known here already. */
function misfitOf(capabilityResult: JsonObject, name: string, mapped: MappedValue): string | undefined {
  if (!('value' in mapped)) return undefined;
  const fields = resultFieldsOf(capabilityResult);
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (field === undefined) return undefined;
  const made = mapResult({ [name]: mapped }, { [name]: field }, null);
  return 'misfit' in made ? `Here, ${made.misfit}` : undefined;
}

function unfoundedOf(mapped: MappedValue, closed: readonly string[] | undefined): string | undefined {
  const source = sourceMember(mapped);
  return source === undefined || closed?.includes(source) !== false
    ? undefined
    : `The tool's result has no member "${source}"`;
}
