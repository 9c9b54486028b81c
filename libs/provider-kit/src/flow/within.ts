import { failure, type ProviderFailure } from '../provider-adapter.js';

/** Waits no longer than that for something that goes on for others. */
export async function within<T>(promise: Promise<T>, ms: number): Promise<T | ProviderFailure> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<ProviderFailure>((resolve) => {
    timer = setTimeout(() => resolve(tooLate), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

const tooLate = failure('timeout', 'The provider did not answer in time.', { retryable: true });
