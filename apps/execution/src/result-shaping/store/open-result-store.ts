import { DirectoryStore } from './directory-store.js';
import type { ResultPlace } from './result-store-config.js';
import type { ResultStore } from './result-store.js';

/** The AWS SDK is loaded where it is used only: it costs a process without it neither time nor memory. */
export async function openResultStore(place: ResultPlace): Promise<ResultStore> {
  if (place.kind === 'directory') return new DirectoryStore(place.directory);
  const { S3Store } = await import('./s3-store.js');
  return new S3Store(place);
}
