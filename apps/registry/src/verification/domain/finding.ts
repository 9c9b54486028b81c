import type { CheckVerdict, ToolContract, ToolExample, VerificationCheck } from '@capability-router/contracts';
import type { JsonObject, JsonValue } from '@capability-router/kernel';

/** The finding of one check, and the evidence that it rests on. Evidence names places and digests and never holds a result. */
export interface Finding {
  readonly name: VerificationCheck;
  readonly status: CheckVerdict['status'];
  /** A sentence, of one that did not pass. */
  readonly reason?: string;
  readonly evidence: JsonObject;
}

/** An example of a tool that was run as a Call of the deployment's own account. */
export interface ObservedCall {
  /** Position among the tool's examples. */
  readonly example: number;
  readonly executionId: string;
  readonly success: boolean;
  /** One of the sixteen reason codes; empty where the answer has none. */
  readonly reasonCode: string;
  /** HTTP status of the provider, where there is one. */
  readonly providerStatusCode?: number;
  /** The answer's own words, where it did not succeed. */
  readonly message?: string;
  /** `result.data`, where it succeeded. */
  readonly data?: JsonValue;
}

/** The calls that a verification runs, in their order. */
export const MAX_EXAMPLES = 3;

export const examplesOf = ({ examples, sampleParameters }: ToolContract): readonly ToolExample[] =>
  (examples ?? [{ parameters: sampleParameters }]).slice(0, MAX_EXAMPLES);

/** Items of one list of evidence, and characters of one text in it. */
const MAX_LISTED = 10;
const MAX_TEXT_LENGTH = 300;

export const listed = (items: readonly string[]): string[] =>
  items.slice(0, MAX_LISTED).map((item) => item.slice(0, MAX_TEXT_LENGTH));

export const passed = (name: VerificationCheck, evidence: JsonObject): Finding => ({
  name,
  status: 'passed',
  evidence,
});

export const failed = (name: VerificationCheck, reason: string, evidence: JsonObject): Finding => ({
  name,
  status: 'failed',
  reason: reason.slice(0, MAX_TEXT_LENGTH),
  evidence,
});

export const missing = (name: VerificationCheck, reason: string): Finding => ({
  name,
  status: 'missing',
  reason,
  evidence: {},
});

/** The provider knows who asks and does not let it: no fault of the tool, and nothing that a repetition mends. */
export const isRestricted = ({ providerStatusCode }: ObservedCall): boolean =>
  providerStatusCode !== undefined && [402, 403, 451].includes(providerStatusCode);

export const restricted = (name: VerificationCheck, call: ObservedCall, evidence: JsonObject): Finding => ({
  name,
  status: 'restricted',
  reason: `The provider answers ${call.providerStatusCode ?? 403}: its plan or its rules do not let this deployment.`,
  evidence,
});
