/** Parts that answers of many routes have. */
import { matching, oneOf, record, text, type Check } from './shapes.js';

/** The APIResponse envelope of a success. */
export const envelope = (data: Check): Check =>
  record({ status: oneOf('success'), message: text, status_code: oneOf(0), data });

export const accountId = matching(/^acc_[0-9a-f]{32}$/);
export const clientId = matching(/^client_[0-9a-f]{32}$/);
export const executionId = matching(/^exec_[0-9a-f]{32}$/);
export const ledgerId = matching(/^led_[0-9a-f]{32}$/);
export const sha256 = matching(/^[0-9a-f]{64}$/);
