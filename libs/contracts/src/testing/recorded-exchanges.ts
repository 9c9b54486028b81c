import { readdirSync, readFileSync } from 'node:fs';
import { exchangeOf, readRecording, type RecordedExchange } from '../answers/recording.js';

/** The recordings that acceptance compares with the answers of both stacks. */
const folder = new URL('../../../../tests/acceptance/src/wire/answers/', import.meta.url);

/** The requests of the acceptance suite and the answers to them, slice by slice; a title begins with the file of its slice. */
export const recordedExchanges = (): RecordedExchange[] =>
  readdirSync(folder)
    .sort()
    .flatMap((file) =>
      readRecording(readFileSync(new URL(file, folder), 'utf8'))
        .map(exchangeOf)
        .map((exchange) => ({ ...exchange, title: `${file}: ${exchange.title}` })),
    );
