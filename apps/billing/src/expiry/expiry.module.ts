import { Module } from '@nestjs/common';
import { ExpiryTask } from './expiry.task.js';

@Module({ providers: [ExpiryTask] })
export class ExpiryModule {}
