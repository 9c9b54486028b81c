import type { ChineseGlosses } from '@capability-router/tool-search';
import type { ServiceRuntime } from '@capability-router/service-kit';
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { AdminModule } from './admin/admin.module.js';
import type { CatalogueSource } from './catalogue/domain/catalogue-source.js';
import { EvidenceModule } from './evidence/evidence.module.js';
import { InspectModule } from './inspect/inspect.module.js';
import { LiveCatalogueModule } from './live-catalogue/live-catalogue.module.js';
import { PayloadsModule } from './payloads/payloads.module.js';
import { ProbeModule } from './probe/probe.module.js';
import { ProvidersModule } from './providers/providers.module.js';
import { RegistryStart } from './registry-start.js';
import { SearchModule } from './search/search.module.js';
import { SourcesModule } from './sources/sources.module.js';
import { CATALOGUE_SOURCE, EXECUTION, IDENTITY, TOKENS } from './tokens.js';
import { VerificationModule } from './verification/verification.module.js';

/** `source`: what this build publishes; `glosses`: as `LiveCatalogueModule` takes them. */
export interface RegistryContents {
  readonly source: CatalogueSource;
  readonly glosses: Promise<ChineseGlosses>;
  readonly runtime: Pick<ServiceRuntime, 'clients' | 'tokens'>;
}

/** Parts that the registry was given beside those of every service, for every slice. */
@Global()
@Module({})
class PartsModule {
  static with({ clients, tokens }: RegistryContents['runtime']): DynamicModule {
    const values: readonly (readonly [symbol, unknown])[] = [
      [EXECUTION, clients.execution],
      [IDENTITY, clients.identity],
      [TOKENS, tokens],
    ];
    return {
      module: PartsModule,
      providers: values.map(([provide, useValue]) => ({ provide, useValue })),
      exports: values.map(([provide]) => provide),
    };
  }
}

/** A module for each slice. The parts that they are made of come from `ServicePartsModule`. */
@Module({})
export class RegistryModule {
  static with({ source, glosses, runtime }: RegistryContents): DynamicModule {
    // One object, so that all slices share one index: Nest tells dynamic modules apart by what they are.
    const liveCatalogue = LiveCatalogueModule.with(glosses);
    return {
      module: RegistryModule,
      imports: [
        PartsModule.with(runtime),
        liveCatalogue,
        VerificationModule.with(liveCatalogue),
        EvidenceModule.with(liveCatalogue),
        SearchModule.with(liveCatalogue),
        InspectModule.with(liveCatalogue),
        ProbeModule.with(liveCatalogue),
        ProvidersModule.with(liveCatalogue),
        PayloadsModule,
        AdminModule,
        SourcesModule,
      ],
      providers: [RegistryStart, { provide: CATALOGUE_SOURCE, useValue: source }],
    };
  }
}
