import { Module } from '@nestjs/common';
import { BalancesController } from './balances.controller.js';
import { CreditsController } from './credits.controller.js';

@Module({ controllers: [BalancesController, CreditsController] })
export class CreditsModule {}
