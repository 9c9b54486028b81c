import { Module } from '@nestjs/common';
import { DeviceCodesModule } from '../device-codes/device-codes.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { Grants } from './grants.js';
import { TokenController } from './token.controller.js';

/** The endpoint that answers every grant. */
@Module({ imports: [TokensModule, DeviceCodesModule], controllers: [TokenController], providers: [Grants] })
export class TokenEndpointModule {}
