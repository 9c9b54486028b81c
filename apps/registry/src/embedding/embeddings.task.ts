import { Periodic } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { SemanticSearch } from './semantic-search.js';

const INTERVAL_MS = 3_600_000;

@Injectable()
export class EmbeddingsTask {
  constructor(@Inject(SemanticSearch) private readonly searcher: SemanticSearch) {}

  @Periodic({ name: 'sweep of embeddings', everyMs: INTERVAL_MS, atStart: true })
  async keepModel(): Promise<void> {
    await this.searcher.keepModel();
  }
}
