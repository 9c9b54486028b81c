import { Module } from '@nestjs/common';
import { PublishedKeysController } from './published-keys.controller.js';
import { SigningKeysController } from './signing-keys.controller.js';
import { SigningKeys } from './signing-keys.js';

/** The keys that sign access tokens, and their rotation. */
@Module({
  controllers: [PublishedKeysController, SigningKeysController],
  providers: [SigningKeys],
  exports: [SigningKeys],
})
export class SigningKeysModule {}
