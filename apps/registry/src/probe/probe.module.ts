import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '../discovery/discovery.module.js';
import { ProbeController } from './probe.controller.js';

@Module({ imports: [DiscoveryModule], controllers: [ProbeController] })
export class ProbeModule {
  static with(liveCatalogue: DynamicModule): DynamicModule {
    return { module: ProbeModule, imports: [liveCatalogue] };
  }
}
