import type { ToolContract } from '@capability-router/contracts';
import { holdsAll, signInRequired } from '@capability-router/provider-kit';
import type { Refusal } from './refusals.js';
import { unavailable } from './unavailable.js';
import type { CredentialStore } from '../../credentials/credential-store.js';
import { DEPLOYMENT } from '../../credentials/credentials.sql.js';
import { authOf } from '../../credentials/domain/provider-access.js';

/** Undefined at once for a tool that needs no credential; else the refusal of a call that has none. Throws 503. */
export type SignInCheck = (tool: ToolContract, accountId: string) => Promise<Refusal | undefined> | undefined;

/** Before anything is reserved or sent: is what the tool's provider wants to be shown there? */
export const signInCheck =
  (store: CredentialStore): SignInCheck =>
  (tool, accountId) => {
    const auth = authOf(tool.binding);
    return auth.kind === 'none' ? undefined : check();

    async function check(): Promise<Refusal | undefined> {
      const { provider } = tool;
      const ownerId = provider.credential === 'account' ? accountId : DEPLOYMENT;
      const names = await store.fieldNames({ ownerId, providerId: provider.providerId }).catch((cause: unknown) => {
        throw unavailable("The provider's credentials cannot be read right now; the call was not run.", cause);
      });
      if (holdsAll(auth, names)) return undefined;
      const { message } = signInRequired(provider, auth);
      return { httpStatus: 200, reasonCode: 'oauth_signin_required', message };
    }
  };
