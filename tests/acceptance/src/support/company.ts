import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { createServer, type Server } from 'node:http';

const KEY_ID = 'company-1';
const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A company's sign-in at an address that the deployment trusts: it publishes a key, and signs for whomever it is told to. */
export class Company {
  private constructor(
    private readonly iss: string,
    private readonly privateKey: KeyObject,
    private readonly server: Server,
  ) {}

  static async start(iss: string): Promise<Company> {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const key = { ...publicKey.export({ format: 'jwk' }), kid: KEY_ID, alg: 'RS256', use: 'sig' };
    const server = createServer((_request, response) => void response.end(JSON.stringify({ keys: [key] })));
    await new Promise<void>((resolve) => server.listen(Number(new URL(iss).port), '127.0.0.1', resolve));
    return new Company(iss, privateKey, server);
  }

  /** For ten minutes, with the scopes `call` and `read`. */
  token(sub: string, aud: string): string {
    const iat = Math.floor(Date.now() / 1_000);
    const claims = { iss: this.iss, aud, sub, scope: 'call read', iat, exp: iat + 600 };
    const said = `${part({ alg: 'RS256', kid: KEY_ID })}.${part(claims)}`;
    return `${said}.${sign('sha256', Buffer.from(said), this.privateKey).toString('base64url')}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
