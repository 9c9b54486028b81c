import { API_PREFIX, DEVICE_CODE_GRANT, internalHeaders } from '@capability-router/contracts';
import { uuidv7, type Clock } from '@capability-router/kernel';
import { AllowCallers, CLOCK, CONFIG, POOL } from '@capability-router/service-kit';
import { Body, Controller, Header, Headers, HttpCode, Inject, Post, UseFilters } from '@nestjs/common';
import type pg from 'pg';
import type { IdentityConfig } from '../config.js';
import type { ResourcePath, TokenSettings } from '../signing-keys/token-settings.js';
import { authenticateClient, requireGrantType } from '../tokens/authenticate-client.js';
import { Form } from '../tokens/form.js';
import { OAuthError } from '../tokens/oauth-error.js';
import { OAuthErrorFilter } from '../tokens/oauth-error.filter.js';
import { requestedResource, requestedScopes } from '../tokens/requested-access.js';
import { CLIENT_ADDRESS_HEADER, requireClient } from '../trial-agents/client-network.js';
import { hashDeviceCode, newDeviceCode, newUserCode, secretHash, shownUserCode } from './codes.js';
import { countOpenCodes, insertDeviceCode } from './device-codes.sql.js';
import { verificationUri } from './verification-uri.js';

/** Seconds between two polls, at first. */
const INTERVAL_SECONDS = 5;
/** Keys that may be shown for one code. */
const SIGN_IN_TRIES = 10;
/** There are 2.56 · 10¹⁰ user codes: one that is taken is drawn hardly ever, and never so often. */
const DRAWS = 5;

/** RFC 8628 §3.2. */
interface DeviceAuthorization {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  /** Seconds, both. */
  readonly expires_in: number;
  readonly interval: number;
}

/** Where a program asks for access that a person consents to on another device. */
@Controller(`${API_PREFIX}/oauth/device`)
@UseFilters(OAuthErrorFilter)
export class DeviceAuthorizationController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: TokenSettings & Pick<IdentityConfig, 'devices'>,
  ) {}

  @Post('authorize')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @AllowCallers('gateway')
  async authorize(
    @Body() body: unknown,
    @Headers(internalHeaders.callerAuthorization) authorization: string | undefined,
    @Headers(CLIENT_ADDRESS_HEADER) clientAddress: string | undefined,
  ): Promise<DeviceAuthorization> {
    const form = await Form.read(body);
    const { clientId, ...client } = await authenticateClient(this.pool, form, authorization);
    requireGrantType(client, DEVICE_CODE_GRANT);
    const scopes = requestedScopes(form, client.scopes);
    const resourcePath = requestedResource(form, this.config);
    const {
      deviceSecrets: [deviceSecret],
      devices,
      publicUrl,
    } = this.config;
    const addressHash = secretHash(deviceSecret, 'address', requireClient(clientAddress).address);
    await this.requireRoom(clientId, addressHash);
    const deviceCode = newDeviceCode();
    const userCode = await this.insert({ clientId, scopes, resourcePath, addressHash, deviceCode });
    return {
      device_code: deviceCode,
      user_code: shownUserCode(userCode),
      verification_uri: verificationUri(publicUrl),
      verification_uri_complete: `${verificationUri(publicUrl)}?user_code=${shownUserCode(userCode)}`,
      expires_in: devices.codeMs / 1_000,
      interval: INTERVAL_SECONDS,
    };
  }

  /** Counts are not locked, so that as many more can come to be as connections insert at the same moment. */
  private async requireRoom(clientId: string, addressHash: Buffer): Promise<void> {
    const { openPerAddress, openPerClient } = this.config.devices;
    const now = new Date(this.clock.nowMs());
    const atMost = Math.max(openPerAddress, openPerClient);
    const { ofClient, ofAddress } = await countOpenCodes(this.pool, { clientId, addressHash, now, atMost });
    if (ofClient < openPerClient && ofAddress < openPerAddress) return;
    throw new OAuthError(
      'invalid_request',
      'Too many codes wait for somebody. Use one of them, or wait until some lapse.',
    );
  }

  private async insert(asked: {
    readonly clientId: string;
    readonly scopes: readonly string[];
    readonly resourcePath: ResourcePath;
    readonly addressHash: Buffer;
    readonly deviceCode: string;
  }): Promise<string> {
    const { clientId, scopes, resourcePath, addressHash } = asked;
    const deviceHash = hashDeviceCode(asked.deviceCode);
    if (deviceHash === undefined) throw new Error('a device code that was made is none');
    const nowMs = this.clock.nowMs();
    const times = { issuedAt: new Date(nowMs), expiresAt: new Date(nowMs + this.config.devices.codeMs) };
    const bounds = { intervalSeconds: INTERVAL_SECONDS, signInTries: SIGN_IN_TRIES };
    const [deviceSecret] = this.config.deviceSecrets;
    for (let draw = 1; draw <= DRAWS; draw += 1) {
      const userCode = newUserCode();
      const userCodeHash = secretHash(deviceSecret, 'user code', userCode);
      const row = {
        deviceId: uuidv7(nowMs),
        deviceHash,
        userCodeHash,
        addressHash,
        clientId,
        scopes,
        resourcePath,
        ...bounds,
        ...times,
      };
      if (await insertDeviceCode(this.pool, row)) return userCode;
    }
    throw new Error('every user code that was drawn was taken');
  }
}
