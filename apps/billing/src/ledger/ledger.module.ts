import { Module } from '@nestjs/common';
import { CsvExportModule } from '../csv-export/csv-export.module.js';
import { AllEntriesController } from './all-entries.controller.js';
import { LedgerExportController } from './ledger-export.controller.js';
import { LedgerController } from './ledger.controller.js';

@Module({
  imports: [CsvExportModule],
  // Its static path stands before `:entryId`.
  controllers: [AllEntriesController, LedgerExportController, LedgerController],
})
export class LedgerModule {}
