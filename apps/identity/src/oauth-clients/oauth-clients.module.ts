import { Module } from '@nestjs/common';
import { OAuthClientsController } from './oauth-clients.controller.js';

/** Programs that may ask for tokens. */
@Module({ controllers: [OAuthClientsController] })
export class OAuthClientsModule {}
