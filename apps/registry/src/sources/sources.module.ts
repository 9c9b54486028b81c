import { Module } from '@nestjs/common';
import { ConversionPool } from './conversion-pool.js';
import { SourceContext } from './source-context.js';
import { SourcesController } from './sources.controller.js';

@Module({ providers: [SourceContext, ConversionPool], controllers: [SourcesController] })
export class SourcesModule {}
