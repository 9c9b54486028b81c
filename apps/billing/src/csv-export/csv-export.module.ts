import { Module } from '@nestjs/common';
import { ExportSlots } from './export-slots.js';

/** One set of slots for all exports of a replica. */
@Module({ providers: [ExportSlots], exports: [ExportSlots] })
export class CsvExportModule {}
