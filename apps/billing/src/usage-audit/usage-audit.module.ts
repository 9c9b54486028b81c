import { Module } from '@nestjs/common';
import { CsvExportModule } from '../csv-export/csv-export.module.js';
import { CreditsSpentController } from './credits-spent.controller.js';
import { PayloadReader } from './payload-reader.js';
import { UsageExportController } from './usage-export.controller.js';
import { UsageFeedController } from './usage-feed.controller.js';
import { UsageController } from './usage.controller.js';

@Module({
  imports: [CsvExportModule],
  // Static paths stand before `:eventId`.
  controllers: [UsageFeedController, UsageExportController, CreditsSpentController, UsageController],
  providers: [PayloadReader],
})
export class UsageAuditModule {}
