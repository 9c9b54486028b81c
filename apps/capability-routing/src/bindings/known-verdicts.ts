import type { CapabilityCandidate, CapabilityManifest } from '@capability-router/contracts';
import type { BoundTool } from './domain/bound-tool.js';
import { judgeBinding, type BindingVerdict } from './judge-bindings.js';

interface Judged {
  readonly tool: BoundTool;
  readonly verdict: BindingVerdict;
}

/** Verdicts on bindings, each for as long as its contract and its tool are in memory as they were judged. */
export class KnownVerdicts {
  private readonly judged = new WeakMap<CapabilityCandidate, Judged>();

  of(capability: CapabilityManifest, candidate: CapabilityCandidate, tool: BoundTool): BindingVerdict {
    const known = this.judged.get(candidate);
    if (known?.tool === tool) return known.verdict;
    const verdict = judgeBinding(capability, candidate, tool);
    this.judged.set(candidate, { tool, verdict });
    return verdict;
  }
}
