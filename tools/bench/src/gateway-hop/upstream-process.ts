/** The services behind the gateway: the web layer of every service, without work of its own. */
import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { Body, Controller, HttpCode, Module, Post, type Type } from '@nestjs/common';
import type { AccountAssertion, VerifyCredentialRequest, VerifyCredentialResponse } from '@capability-router/contracts';
import { systemClock } from '@capability-router/kernel';
import {
  AllowCallers,
  createLogger,
  createMetrics,
  createNestApp,
  CurrentAccount,
  InternalTokens,
  type InternalKeys,
} from '@capability-router/service-kit';
import type { HopJob, UpstreamUrls } from './hop-process.js';

const DIGITS_OF_ID = 32;
/** As many as a search answers with unless it is told otherwise. */
const FOUND_TOOLS = 20;

@Controller()
class ExecutionStub {
  @Post('api/v1/tools/execute')
  @HttpCode(200)
  @AllowCallers('gateway')
  execute(@CurrentAccount() account: AccountAssertion, @Body() body: { parameters?: unknown }): object {
    return {
      execution_id: account.accountId,
      result: { data: { echo: body.parameters } },
      success: true,
      error_message: null,
      cost: 0,
      remaining_credits: 1_000,
    };
  }
}

@Controller()
class RegistryStub {
  @Post('api/v1/search')
  @HttpCode(200)
  @AllowCallers('gateway')
  search(@Body() { query }: { query?: unknown }): object {
    const results = Array.from({ length: FOUND_TOOLS }, (_, index) => ({
      tool_id: `bench.tool.find.v${index}`,
      name: 'A tool',
      description: 'A tool that is found.',
      provider_name: 'Bench',
      params: [{ name: 'expression', type: 'string', required: true, description: 'The expression.' }],
      expected_cost: '0.5',
    }));
    return { query, search_id: 'srch_bench', total: results.length, results, error_message: null };
  }
}

@Controller()
class IdentityStub {
  /** Every key is valid and belongs to an account of its own. */
  @Post('internal/credentials:verify')
  @HttpCode(200)
  @AllowCallers('gateway')
  verify(@Body() { credential }: VerifyCredentialRequest): VerifyCredentialResponse {
    const digits = createHash('sha256').update(credential).digest('hex').slice(0, DIGITS_OF_ID);
    const assertion: AccountAssertion = {
      accountId: `acc_${digits}`,
      accountKind: 'formal',
      credentialType: 'api_key',
      apiKeyId: digits,
      scopes: ['call', 'read'],
    };
    return { valid: true, assertion, apiKeyName: 'bench', maskedValue: 'sk-…' };
  }

  /** Without it the gateway would ask about every key again. The router takes `::` for a literal colon. */
  @Post('internal/gateway-replicas::report')
  @HttpCode(200)
  @AllowCallers('gateway')
  report(): object {
    return {};
  }
}

@Module({ controllers: [RegistryStub] })
class RegistryStubModule {}

@Module({ controllers: [ExecutionStub] })
class ExecutionStubModule {}

@Module({ controllers: [IdentityStub] })
class IdentityStubModule {}

process.once('message', (job: HopJob) => {
  void start(job).then((answer) => process.send?.(answer));
});

async function start({ keys }: HopJob): Promise<UpstreamUrls> {
  return {
    registry: await listen(keys, 'registry', RegistryStubModule),
    execution: await listen(keys, 'execution', ExecutionStubModule),
    identity: await listen(keys, 'identity', IdentityStubModule),
  };
}

async function listen(keys: InternalKeys, service: keyof UpstreamUrls, module: Type<unknown>): Promise<string> {
  const tokens = await InternalTokens.create({
    service,
    signingKey: keys.signingKeys[service],
    jwks: keys.jwks,
    clock: systemClock,
  });
  const app = await createNestApp(module, {
    service,
    logger: createLogger(service, 'warn'),
    metrics: createMetrics(),
    tokens,
  });
  await app.listen(0, '127.0.0.1');
  return `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
}
