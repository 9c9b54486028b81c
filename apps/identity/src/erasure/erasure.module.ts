import { Module } from '@nestjs/common';
import { ErasureController } from './erasure.controller.js';

/** Forgets whom an account belongs to. */
@Module({ controllers: [ErasureController] })
export class ErasureModule {}
