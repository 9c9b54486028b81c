import { POOL } from '@capability-router/service-kit';
import { Module } from '@nestjs/common';
import type pg from 'pg';
import { ToolCopiesFeed } from './tool-copies-feed.js';
import { ToolDirectory } from './tool-directory.js';

@Module({
  providers: [
    { provide: ToolDirectory, inject: [POOL], useFactory: (pool: pg.Pool) => new ToolDirectory(pool) },
    ToolCopiesFeed,
  ],
  exports: [ToolDirectory, ToolCopiesFeed],
})
export class ToolCopiesModule {}
