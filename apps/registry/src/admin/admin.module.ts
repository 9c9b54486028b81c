import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { ADMIN } from './admin-context.js';
import type { AdminContext } from './admin-context.js';
import { ImportController } from './import/import.controller.js';
import { ManifestSchemaController } from './manifest/manifest-schema.controller.js';
import { ProviderManifestController } from './providers/provider-manifest.controller.js';
import { ToolsController } from './tools/tools.controller.js';

@Module({})
export class AdminModule {
  static with(context: AdminContext): DynamicModule {
    return {
      module: AdminModule,
      providers: [{ provide: ADMIN, useValue: context }],
      controllers: [ProviderManifestController, ImportController, ToolsController, ManifestSchemaController],
    };
  }
}
