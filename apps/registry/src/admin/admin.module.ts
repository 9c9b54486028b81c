import { YamlPool } from '@capability-router/provider-kit/documents';
import { LOGGER, type ServiceRuntime } from '@capability-router/service-kit';
import { Module, type FactoryProvider } from '@nestjs/common';
import { ImportCatalogue } from './import/import-catalogue.js';
import { ImportController } from './import/import.controller.js';
import { ManifestSchemaController } from './manifest/manifest-schema.controller.js';
import { ProviderManifestController } from './providers/provider-manifest.controller.js';
import { PutProvider } from './providers/put-provider.js';
import { ToolsController } from './tools/tools.controller.js';

const yamlPool: FactoryProvider<YamlPool> = {
  provide: YamlPool,
  useFactory: (logger: ServiceRuntime['logger']) =>
    new YamlPool((err) => logger.error({ err }, 'a process that reads documents failed')),
  inject: [LOGGER],
};

@Module({
  providers: [PutProvider, ImportCatalogue, yamlPool],
  controllers: [ProviderManifestController, ImportController, ToolsController, ManifestSchemaController],
})
export class AdminModule {}
