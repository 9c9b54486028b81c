import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, it } from '@jest/globals';
import { at, ofKind, renderKustomization, textAt, workspaceRoot } from '@capability-router/tools-stack';
import { overlayOfNotes } from './objects.js';

it('the overlay of the notes of the upgrade renders, as kustomize has it', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'overlay-'));
  try {
    const overlay = overlayOfNotes(join(scratch, 'overlay'));
    const deployments = ofKind(renderKustomization(relative(workspaceRoot, overlay)), 'Deployment');
    const told = deployments.map((one) => [
      textAt(one, 'metadata.name'),
      at(one, 'spec.minReadySeconds'),
      at(one, 'spec.template.spec.securityContext.runAsUser'),
    ]);
    expect(Object.fromEntries(told.map(([name, ...rest]) => [name, rest]))).toEqual({
      billing: [40, 10_001],
      'capability-routing': [40, 10_001],
      execution: [40, 1_000],
      gateway: [40, 10_001],
      identity: [40, 10_001],
      registry: [40, 10_001],
    });
  } finally {
    rmSync(scratch, { recursive: true });
  }
});
