import { Module } from '@nestjs/common';
import { Expressions } from './expressions.js';

@Module({ providers: [Expressions], exports: [Expressions] })
export class ExpressionsModule {}
