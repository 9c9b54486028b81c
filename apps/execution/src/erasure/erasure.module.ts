import { Module } from '@nestjs/common';
import { ResultShapingModule } from '../result-shaping/result-shaping.module.js';
import { ErasureTask } from './erasure.task.js';

@Module({ imports: [ResultShapingModule], providers: [ErasureTask] })
export class ErasureModule {}
