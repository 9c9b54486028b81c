import { Module } from '@nestjs/common';
import { LedgerRootTask } from './ledger-root.task.js';

@Module({ providers: [LedgerRootTask] })
export class LedgerRootsModule {}
