import { Module } from '@nestjs/common';
import { CsvExportModule } from '../csv-export/csv-export.module.js';
import { LedgerExportController } from './ledger-export.controller.js';
import { LedgerController } from './ledger.controller.js';

@Module({
  imports: [CsvExportModule],
  // Its static path stands before `:entryId`.
  controllers: [LedgerExportController, LedgerController],
})
export class LedgerModule {}
