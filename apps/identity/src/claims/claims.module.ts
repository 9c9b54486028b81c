import { Module } from '@nestjs/common';
import { ClaimsController } from './claims.controller.js';

/** Trials that somebody makes their own. */
@Module({ controllers: [ClaimsController] })
export class ClaimsModule {}
