import { Module } from '@nestjs/common';
import { ReadinessController } from './readiness.controller.js';

@Module({ controllers: [ReadinessController] })
export class ReadinessModule {}
