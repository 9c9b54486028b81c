import { Module } from '@nestjs/common';
import { CallModule } from '../call/call.module.js';
import { OutcomeReviser } from './revise-outcome.js';
import { RevisionsController } from './revisions.controller.js';

@Module({ imports: [CallModule], controllers: [RevisionsController], providers: [OutcomeReviser] })
export class RevisionsModule {}
