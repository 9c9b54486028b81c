import { Module } from '@nestjs/common';
import { KnownTools } from './known-tools.js';
import { KnownToolsTask } from './known-tools.task.js';

/** Copies of tools, in memory. */
@Module({ providers: [KnownTools, KnownToolsTask], exports: [KnownTools] })
export class ToolCopiesModule {}
