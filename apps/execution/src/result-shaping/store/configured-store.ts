import type { AccountId } from '@capability-router/kernel';
import { CONFIG } from '@capability-router/service-kit';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DirectoryStore } from './directory-store.js';
import type { ResultPlace } from './result-store-config.js';
import type { OpenResult, ResultKey, ResultStore, StoredPage } from './result-store.js';

/** The store of this deployment: a directory or a bucket. */
@Injectable()
export class ConfiguredStore implements ResultStore, OnModuleInit, OnApplicationShutdown {
  private opened: ResultStore | undefined;

  constructor(@Inject(CONFIG) private readonly config: { readonly resultStore: { readonly place: ResultPlace } }) {}

  /** The AWS SDK is loaded only where it is used: it costs a process without it neither time nor memory. */
  async onModuleInit(): Promise<void> {
    const { place } = this.config.resultStore;
    this.opened =
      place.kind === 'directory'
        ? new DirectoryStore(place.directory)
        : new (await import('./s3-store.js')).S3Store(place);
  }

  onApplicationShutdown(): void {
    this.close();
  }

  save(key: ResultKey, content: Buffer): Promise<void> {
    return this.store.save(key, content);
  }

  open(key: ResultKey): Promise<OpenResult | undefined> {
    return this.store.open(key);
  }

  remove(name: string): Promise<void> {
    return this.store.remove(name);
  }

  list(of: { readonly accountId?: AccountId; readonly after?: string | undefined }): Promise<StoredPage> {
    return this.store.list(of);
  }

  close(): void {
    this.opened?.close();
  }

  private get store(): ResultStore {
    if (this.opened === undefined) throw new Error('the result store is not open yet');
    return this.opened;
  }
}
