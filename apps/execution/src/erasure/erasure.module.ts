import { Module } from '@nestjs/common';
import { ResultShapingModule } from '../result-shaping/result-shaping.module.js';
import { ErasureTask } from './erasure.task.js';
import { ErasuresConsumer } from './erasures.consumer.js';

@Module({ imports: [ResultShapingModule], controllers: [ErasuresConsumer], providers: [ErasureTask] })
export class ErasureModule {}
