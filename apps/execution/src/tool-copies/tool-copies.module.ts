import { Module } from '@nestjs/common';
import { ToolCopiesFeed } from './tool-copies-feed.js';
import { ToolDirectory } from './tool-directory.js';

@Module({
  providers: [ToolDirectory, ToolCopiesFeed],
  exports: [ToolDirectory, ToolCopiesFeed],
})
export class ToolCopiesModule {}
