import { Module } from '@nestjs/common';
import { ErasureTask } from './erasure.task.js';

@Module({ providers: [ErasureTask] })
export class ErasureModule {}
