import { Module } from '@nestjs/common';
import { ConversionPool } from './conversion-pool.js';
import { ImportSource } from './import-source.js';
import { SourceReader } from './read-source.js';
import { SourcesController } from './sources.controller.js';

@Module({ providers: [ImportSource, SourceReader, ConversionPool], controllers: [SourcesController] })
export class SourcesModule {}
