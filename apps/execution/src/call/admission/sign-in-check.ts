import type { ToolContract } from '@capability-router/contracts';
import { holdsAll, signInRequired } from '@capability-router/provider-kit';
import { Inject, Injectable } from '@nestjs/common';
import { CredentialStore } from '../../credentials/credential-store.js';
import { DEPLOYMENT } from '../../credentials/stored-credentials.js';
import { authOf } from '../../credentials/domain/provider-access.js';
import type { Refusal } from './domain/refusals.js';
import { unavailable } from './unavailable.js';

/** Before anything is reserved or sent: is what the tool's provider wants to be shown there? */
@Injectable()
export class SignInCheck {
  constructor(@Inject(CredentialStore) private readonly credentials: CredentialStore) {}

  /** Undefined at once for a tool that needs no credential; else the refusal of a call that has none. Throws 503. */
  check(tool: ToolContract, accountId: string): Promise<Refusal | undefined> | undefined {
    return authOf(tool.binding).kind === 'none' ? undefined : this.lookFor(tool, accountId);
  }

  private async lookFor({ binding, provider }: ToolContract, accountId: string): Promise<Refusal | undefined> {
    const auth = authOf(binding);
    const ownerId = provider.credential === 'account' ? accountId : DEPLOYMENT;
    const key = { ownerId, providerId: provider.providerId };
    const names = await this.credentials.fieldNames(key).catch((cause: unknown) => {
      throw unavailable("The provider's credentials cannot be read right now; the call was not run.", cause);
    });
    if (holdsAll(auth, names)) return undefined;
    const { message } = signInRequired(provider, auth);
    return { httpStatus: 200, reasonCode: 'oauth_signin_required', message };
  }
}
