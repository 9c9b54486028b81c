import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTHeaderParameters } from 'jose';

interface Pair {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

/** A company's sign-in: a server on loopback that publishes keys, and tokens that are signed with them. */
export class TestIssuer {
  /** How often its keys were asked for. */
  reads = 0;
  /** Instead of the keys. */
  behave: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  private readonly pairs: Pair[] = [];
  private made = 0;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<TestIssuer> {
    const server = createServer((request, response) => issuer.answer(request, response));
    const issuer = new TestIssuer(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await issuer.addKey();
    return issuer;
  }

  get iss(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The settings by which it is trusted under the name `acme`, with what `more` says of it. */
  settings(more: object = {}): { readonly EXTERNAL_ISSUERS: string; readonly EXTERNAL_ISSUERS_LOOPBACK_HTTP: string } {
    const acme = { iss: this.iss, jwks_url: `${this.iss}/keys`, ...more };
    return { EXTERNAL_ISSUERS: JSON.stringify({ acme }), EXTERNAL_ISSUERS_LOOPBACK_HTTP: 'true' };
  }

  /** From then on it signs with the new key. Resolves to its id. */
  async addKey(alg = 'RS256'): Promise<string> {
    const kid = `key-${(this.made += 1)}`;
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    this.pairs.push({ kid, alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } });
    return kid;
  }

  /** It is published no more, and signs no more. */
  withdraw(kid: string): void {
    const index = this.pairs.findIndex((pair) => pair.kid === kid);
    if (index >= 0) this.pairs.splice(index, 1);
  }

  get keys(): readonly JWK[] {
    return this.pairs.map(({ publicJwk }) => publicJwk);
  }

  /** @param header beside or instead of what its newest key needs; undefined members are left out */
  sign(claims: Readonly<Record<string, unknown>>, header: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const pair = this.pairs.at(-1);
    if (pair === undefined) throw new Error('the issuer has no key');
    const whole: Readonly<Record<string, unknown>> = { alg: pair.alg, kid: pair.kid, typ: 'JWT', ...header };
    const shown = Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined));
    return new SignJWT({ iss: this.iss, ...claims })
      .setProtectedHeader(shown as unknown as JWTHeaderParameters)
      .sign(pair.privateKey);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    this.reads += 1;
    if (this.behave !== undefined) return this.behave(request, response);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: this.keys }));
  }
}
