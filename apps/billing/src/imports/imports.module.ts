import { Module } from '@nestjs/common';
import { UsageImportController } from './usage-import.controller.js';

@Module({ controllers: [UsageImportController] })
export class ImportsModule {}
