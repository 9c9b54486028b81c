import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The paths of PEM files. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
  /** The key and the certificate in one, as Kafka reads a key store. */
  readonly both: string;
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
/** OpenSSL counts from now on. */
const YESTERDAY = '-1';
const TOMORROW = '1';

/** A certificate authority for tests, by the machine's OpenSSL, with its files in `folder`. */
export class Authority {
  readonly cert: string;
  private readonly key: string;

  constructor(
    private readonly folder: string,
    private readonly name: string,
  ) {
    this.cert = join(folder, `${name}.crt`);
    this.key = join(folder, `${name}.key`);
    openssl(
      'req',
      '-x509',
      ...newKey,
      '-keyout',
      this.key,
      '-out',
      this.cert,
      '-subj',
      `/CN=${name}`,
      '-days',
      TOMORROW,
    );
  }

  /** For 127.0.0.1 and localhost. */
  issue(name: string, { expired = false } = {}): Certificate {
    const path = join(this.folder, `${this.name}-${name}`);
    const files = { cert: `${path}.crt`, key: `${path}.key`, both: `${path}.pem` };
    const names = 'subjectAltName=IP:127.0.0.1,DNS:localhost';
    const request = `${path}.csr`;
    openssl('req', ...newKey, '-keyout', files.key, '-out', request, '-subj', `/CN=${name}`, '-addext', names);
    const signer = ['-CA', this.cert, '-CAkey', this.key, '-CAcreateserial', '-copy_extensions', 'copy'];
    openssl('x509', '-req', '-in', request, ...signer, '-days', expired ? YESTERDAY : TOMORROW, '-out', files.cert);
    writeFileSync(files.both, readFileSync(files.key, 'utf8') + readFileSync(files.cert, 'utf8'));
    return files;
  }
}

function openssl(...args: readonly string[]): void {
  const { status, stderr, error } = spawnSync('openssl', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`openssl ${args[0] ?? ''} failed: ${stderr || String(error)}`);
}
