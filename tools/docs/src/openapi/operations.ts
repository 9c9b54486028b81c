import { account } from './operations/account.js';
import { agents } from './operations/agents.js';
import { billing } from './operations/billing.js';
import type { Operations } from './operations/operation.js';
import { tools } from './operations/tools.js';

/** Everything that a caller of the public interface can do. */
export const operations: Operations = { ...tools, ...billing, ...account, ...agents };
