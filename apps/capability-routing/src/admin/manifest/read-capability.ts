import type { CapabilityManifest, ValidationDetail, ValueMapping } from '@capability-router/contracts';
import { fail, isJsonObject, ok, type JsonObject, type Result } from '@capability-router/kernel';
import { validateBody } from '@capability-router/service-kit';
import { scanDocument } from '@capability-router/tool-calls';
import { CapabilityDocument } from './capability.request.js';
import { checkCapability } from './check-capability.js';

/** Faults that one document lists. */
const MAX_DETAILS = 50;
/** Bytes of its JSON: it travels in one event. */
const MAX_CAPABILITY_BYTES = 131_072;
/** Values of one document, with what aliases repeat. */
export const MAX_CAPABILITY_VALUES = 20_000;

/** A contract that an administrator wrote. */
export interface WrittenCapability {
  readonly manifest: CapabilityManifest;
  /** The hash of the contract that was looked at. */
  readonly schemaHash?: string;
}

type Loc = readonly (string | number)[];

/** `base` begins each `loc`. `capabilityId`: of the path; a row says its own. Never throws. */
export function readCapability(
  document: unknown,
  base: Loc,
  capabilityId?: string,
): Result<WrittenCapability, ValidationDetail[]> {
  const { details } = scanDocument(document, base, MAX_CAPABILITY_VALUES);
  if (details.length > 0) return fail(details);
  if (!isJsonObject(document)) {
    return fail([{ type: 'dict_type', loc: base, msg: 'Input should be a valid object', allowed: { type: 'object' } }]);
  }
  const size = Buffer.byteLength(JSON.stringify(document));
  if (size > MAX_CAPABILITY_BYTES) {
    const msg = `A contract should have at most ${MAX_CAPABILITY_BYTES} bytes, not ${size}`;
    return fail([{ type: 'too_long', loc: base, msg }]);
  }
  const named = capabilityId === undefined ? document : { capability_id: capabilityId, ...document };
  const read = validateBody(CapabilityDocument, named);
  // There, each begins with `body`.
  if (!read.ok) return fail(read.error.map((detail) => ({ ...detail, loc: [...base, ...detail.loc.slice(1)] })));
  const id = read.value.capability_id;
  if (id === undefined) return fail([{ type: 'missing', loc: [...base, 'capability_id'], msg: 'Field required' }]);
  if (capabilityId !== undefined && id !== capabilityId) {
    const msg = `Input should be "${capabilityId}", as in the path`;
    return fail([{ type: 'value_error', loc: [...base, 'capability_id'], msg, allowed: { enum: [capabilityId] } }]);
  }
  const manifest = manifestOf(id, read.value);
  const faults = checkCapability(manifest, base);
  if (faults.length > 0) return fail(faults.slice(0, MAX_DETAILS));
  const { schema_hash: schemaHash } = read.value;
  return ok({ manifest, ...(schemaHash == null ? {} : { schemaHash }) });
}

/** The absent and the null are alike in a document, and are not in a hash. */
function manifestOf(capabilityId: string, document: CapabilityDocument): CapabilityManifest {
  const { tags } = document;
  return {
    capabilityId,
    name: withoutNulls(document.name),
    description: withoutNulls(document.description),
    parametersSchema: document.parameters_schema,
    resultSchema: document.result_schema,
    candidates: document.candidates.map(({ tool_id: toolId, parameters, result, sample_result: sampleResult }) => ({
      toolId,
      ...(parameters == null ? {} : { parameters: parameters as unknown as ValueMapping }),
      ...(result == null ? {} : { result: result as unknown as ValueMapping }),
      ...(sampleResult == null ? {} : { sampleResult }),
    })),
    effect: document.effect,
    sampleParameters: document.sample_parameters,
    ...(tags == null || tags.length === 0 ? {} : { tags: tags.map(withoutNulls) }),
  };
}

const withoutNulls = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value as JsonObject).filter(([, member]) => member !== null)) as T;
