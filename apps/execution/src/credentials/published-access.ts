import { AppError } from '@capability-router/kernel';
import { Inject, Injectable } from '@nestjs/common';
import { ToolDirectory } from '../tool-copies/tool-directory.js';
import { accessOf, type ProviderAccess } from './domain/provider-access.js';

const PROVIDER_ID = /^[a-z][a-z0-9_-]{1,62}$/;

/** Throws `not_found` for what cannot be a provider's id. */
export function requireProviderId(providerId: string): string {
  if (!PROVIDER_ID.test(providerId)) throw new AppError('not_found');
  return providerId;
}

/** How the published tools of providers show who calls. */
@Injectable()
export class PublishedAccess {
  constructor(@Inject(ToolDirectory) private readonly tools: ToolDirectory) {}

  /** Undefined where no tool of the provider is published. Throws `not_found` for what cannot be a provider's id. */
  async find(providerId: string): Promise<ProviderAccess | undefined> {
    return accessOf(requireProviderId(providerId), await this.tools.publishedBy(providerId));
  }

  /** Throws `not_found` where no tool of the provider is published. */
  async require(providerId: string): Promise<ProviderAccess> {
    const access = await this.find(providerId);
    if (access !== undefined) return access;
    const message = `There is no provider "${providerId}" with a published tool. What was published a moment ago is known in a second.`;
    throw new AppError('not_found', message);
  }
}
