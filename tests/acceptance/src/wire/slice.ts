import type { CorpusProvider } from './corpus-provider.js';
import type { Transcript } from './transcript.js';

/** A part of the interface: its requests in a fixed order, by accounts of its own. Its recording is `answers/<name>.txt`. */
export interface Slice {
  readonly name: string;
  run(wire: Transcript, provider: CorpusProvider): Promise<void>;
}
