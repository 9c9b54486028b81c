import { Module } from '@nestjs/common';
import { ImportCatalogue } from './import/import-catalogue.js';
import { ImportController } from './import/import.controller.js';
import { ManifestSchemaController } from './manifest/manifest-schema.controller.js';
import { YamlPool } from './manifest/yaml-pool.js';
import { ProviderManifestController } from './providers/provider-manifest.controller.js';
import { PutProvider } from './providers/put-provider.js';
import { ToolsController } from './tools/tools.controller.js';

@Module({
  providers: [PutProvider, ImportCatalogue, YamlPool],
  controllers: [ProviderManifestController, ImportController, ToolsController, ManifestSchemaController],
})
export class AdminModule {}
