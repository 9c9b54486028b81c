import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import type { SourceContext } from './import-source.js';
import { SOURCES, SourcesController } from './sources.controller.js';

@Module({})
export class SourcesModule {
  static with(context: SourceContext): DynamicModule {
    return {
      module: SourcesModule,
      providers: [{ provide: SOURCES, useValue: context }],
      controllers: [SourcesController],
    };
  }
}
