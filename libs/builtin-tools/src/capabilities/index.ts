import type { CapabilityManifest } from '@capability-router/contracts';
import { checkCapabilities } from './checks.js';
import { dataCapabilities } from './data.js';
import { textCapabilities } from './text.js';
import { worldCapabilities } from './world.js';

export const builtinCapabilities: readonly CapabilityManifest[] = [
  ...textCapabilities,
  ...worldCapabilities,
  ...checkCapabilities,
  ...dataCapabilities,
];
