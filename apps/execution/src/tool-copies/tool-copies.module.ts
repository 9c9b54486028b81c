import { Module } from '@nestjs/common';
import { ToolCopiesFeed } from './tool-copies-feed.js';
import { ToolCopiesConsumer } from './tool-copies.consumer.js';
import { ToolDirectory } from './tool-directory.js';

@Module({
  controllers: [ToolCopiesConsumer],
  providers: [ToolDirectory, ToolCopiesFeed],
  exports: [ToolDirectory, ToolCopiesFeed],
})
export class ToolCopiesModule {}
