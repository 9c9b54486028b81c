import { admin, type TestAccount } from './accounts.js';
import { send, type Reply } from './http.js';
import { asString } from './json.js';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const headers = { 'content-type': 'application/x-www-form-urlencoded' };

/** A program without a secret, which asks for access as the protocol has it. */
export class DeviceProgram {
  private constructor(
    readonly clientId: string,
    private readonly deviceCode: string,
    readonly userCode: string,
    /** The path of the page, and the same with the code in it: the origin is any replica's. */
    readonly page: { readonly path: string; readonly complete: string },
  ) {}

  /** `owner`: for whose account the operator registers it. */
  static async begin(owner: TestAccount, name = 'a terminal'): Promise<DeviceProgram> {
    const asked = { account_id: owner.accountId, name, scopes: ['call', 'read'], token_endpoint_auth_method: 'none' };
    const { client_id: id } = await admin('POST', '/oauth-clients', asked);
    const clientId = asString(id, 'client_id');
    const { json } = await post('/oauth/device/authorize', { client_id: clientId });
    const complete = new URL(asString(json['verification_uri_complete']));
    return new DeviceProgram(clientId, asString(json['device_code']), asString(json['user_code']), {
      path: new URL(asString(json['verification_uri'])).pathname,
      complete: `${complete.pathname}${complete.search}`,
    });
  }

  poll(): Promise<Reply> {
    return this.token({ grant_type: GRANT, device_code: this.deviceCode });
  }

  refresh(refreshToken: string): Promise<Reply> {
    return this.token({ grant_type: 'refresh_token', refresh_token: refreshToken });
  }

  revoke(token: string): Promise<Reply> {
    return post('/oauth/revoke', { client_id: this.clientId, token });
  }

  private token(form: Record<string, string>): Promise<Reply> {
    return post('/oauth/token', { client_id: this.clientId, ...form });
  }
}

/** Refusals of OAuth have no `message`, so an error is not held to the rules of the others. */
const post = (path: string, form: Record<string, string>): Promise<Reply> =>
  send('POST', `/api/v1${path}`, { rawBody: new URLSearchParams(form).toString(), headers });
