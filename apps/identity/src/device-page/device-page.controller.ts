import { DEVICE_PAGE_PATH, negotiateLanguage } from '@capability-router/contracts';
import { AllowCallers } from '@capability-router/service-kit';
import { Body, Controller, Get, Headers, Inject, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Form } from '../tokens/form.js';
import { OAuthError } from '../tokens/oauth-error.js';
import { CLIENT_ADDRESS_HEADER } from '../trial-agents/client-network.js';
import { DevicePage, pageRequest, type Page, type PageRequest } from './device-page.js';
import { pageHeaders, renderPage } from './render-page.js';

const LANGUAGE_HEADER = 'accept-language';

/** RFC 8628 §3.3: where a person enters the code of a program, signs in, and consents. Plain forms, and no cookie. */
@Controller(DEVICE_PAGE_PATH)
export class DevicePageController {
  constructor(@Inject(DevicePage) private readonly page: DevicePage) {}

  @Get()
  @AllowCallers('gateway')
  begin(
    @Query('user_code') userCode: unknown,
    @Headers(LANGUAGE_HEADER) language: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<FastifyReply> {
    return show(reply, this.page.begin(typeof userCode === 'string' ? userCode : undefined), language);
  }

  @Post()
  @AllowCallers('gateway')
  code(
    @Body() body: unknown,
    @Headers(CLIENT_ADDRESS_HEADER) address: string | undefined,
    @Headers(LANGUAGE_HEADER) language: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<FastifyReply> {
    return answer({ body, address, language, reply }, (request) => this.page.code(request));
  }

  @Post('key')
  @AllowCallers('gateway')
  key(
    @Body() body: unknown,
    @Headers(CLIENT_ADDRESS_HEADER) address: string | undefined,
    @Headers(LANGUAGE_HEADER) language: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<FastifyReply> {
    return answer({ body, address, language, reply }, (request) => this.page.key(request));
  }

  @Post('email')
  @AllowCallers('gateway')
  email(
    @Body() body: unknown,
    @Headers(CLIENT_ADDRESS_HEADER) address: string | undefined,
    @Headers(LANGUAGE_HEADER) language: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<FastifyReply> {
    return answer({ body, address, language, reply }, (request) => this.page.email(request));
  }

  @Post('email-code')
  @AllowCallers('gateway')
  emailCode(
    @Body() body: unknown,
    @Headers(CLIENT_ADDRESS_HEADER) address: string | undefined,
    @Headers(LANGUAGE_HEADER) language: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<FastifyReply> {
    return answer({ body, address, language, reply }, (request) => this.page.emailCode(request));
  }

  @Post('decision')
  @AllowCallers('gateway')
  decision(
    @Body() body: unknown,
    @Headers(CLIENT_ADDRESS_HEADER) address: string | undefined,
    @Headers(LANGUAGE_HEADER) language: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<FastifyReply> {
    return answer({ body, address, language, reply }, (request) => this.page.decision(request));
  }
}

interface Received {
  readonly body: unknown;
  readonly address: string | undefined;
  readonly language: string | undefined;
  readonly reply: FastifyReply;
}

async function answer(
  { body, address, language, reply }: Received,
  next: (request: PageRequest) => Promise<Page>,
): Promise<FastifyReply> {
  return show(reply, await pageOf(body, address, language, next), language);
}

/** A form that no browser sends leads back to the beginning. */
async function pageOf(
  body: unknown,
  address: string | undefined,
  language: string | undefined,
  next: (request: PageRequest) => Promise<Page>,
): Promise<Page> {
  let form: Form;
  try {
    form = await Form.read(body);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    return { status: 400, view: { kind: 'enter_code', userCode: '', problem: 'unreadable' } };
  }
  return next(pageRequest(form, address, negotiateLanguage(undefined, language)));
}

async function show(reply: FastifyReply, page: Page, accepted: string | undefined): Promise<FastifyReply> {
  const language = negotiateLanguage(undefined, accepted);
  if (page.status === 429) reply.header('retry-after', String(page.retryAfterSeconds));
  return reply
    .code(page.status)
    .headers(pageHeaders(language))
    .send(await renderPage(page.view, language));
}
