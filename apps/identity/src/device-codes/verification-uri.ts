import { DEVICE_PAGE_PATH } from '@capability-router/contracts';

/** Where a person enters a user code. */
export const verificationUri = (publicUrl: string): string => `${publicUrl}${DEVICE_PAGE_PATH}`;
