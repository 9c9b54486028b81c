import { YamlPool } from '@capability-router/provider-kit/documents';
import { LOGGER, type ServiceRuntime } from '@capability-router/service-kit';
import { Module, type FactoryProvider } from '@nestjs/common';
import { CapabilitiesAdminController } from './capabilities-admin.controller.js';
import { ImportCapabilities } from './import/import-capabilities.js';
import { ImportController } from './import/import.controller.js';
import { ExpressionsModule } from '../expressions/expressions.module.js';
import { ResolutionModule } from '../resolution/resolution.module.js';

const yamlPool: FactoryProvider<YamlPool> = {
  provide: YamlPool,
  useFactory: (logger: ServiceRuntime['logger']) =>
    new YamlPool((err) => logger.error({ err }, 'a process that reads documents failed')),
  inject: [LOGGER],
};

@Module({
  imports: [ResolutionModule, ExpressionsModule],
  providers: [ImportCapabilities, yamlPool],
  controllers: [ImportController, CapabilitiesAdminController],
})
export class AdminModule {}
