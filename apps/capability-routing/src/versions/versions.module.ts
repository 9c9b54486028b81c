import { Module } from '@nestjs/common';
import { ExpressionsModule } from '../expressions/expressions.module.js';
import { VersionsController } from './versions.controller.js';

@Module({ imports: [ExpressionsModule], controllers: [VersionsController] })
export class VersionsModule {}
