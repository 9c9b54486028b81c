import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { format } from 'oxfmt';
import { workspaceRoot } from '../workspace.js';
import type { CallCost } from './call-cost.js';

const file = join(workspaceRoot, 'tools/bench/measured/call-cost.json');

export async function writeCallCost(cost: CallCost): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  const { code } = await format(file, JSON.stringify(cost), { printWidth: 120, singleQuote: true });
  writeFileSync(file, code);
}

/** The cost of a call as it was last measured. */
export const readCallCost = (): CallCost => JSON.parse(readFileSync(file, 'utf8')) as CallCost;
