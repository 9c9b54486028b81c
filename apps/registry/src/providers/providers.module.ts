import { Module, type DynamicModule } from '@nestjs/common';
import { EvidenceCopiesModule } from '../evidence/evidence-copies.module.js';
import { ProvidersController } from './providers.controller.js';

@Module({ imports: [EvidenceCopiesModule], controllers: [ProvidersController] })
export class ProvidersModule {
  static with(liveCatalogue: DynamicModule): DynamicModule {
    return { module: ProvidersModule, imports: [liveCatalogue] };
  }
}
