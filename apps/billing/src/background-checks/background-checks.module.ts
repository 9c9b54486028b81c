import { Module } from '@nestjs/common';
import { BooksTask } from './books.task.js';

@Module({ providers: [BooksTask] })
export class BackgroundChecksModule {}
