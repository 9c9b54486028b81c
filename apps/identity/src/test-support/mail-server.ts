import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A real SMTP server on the loopback, which keeps what it takes. */
export interface MailServer {
  readonly port: number;
  /** `smtp://…` */
  readonly url: string;
  /** Sources of the mails that it took. */
  readonly mails: string[];
  /** Instead of taking the next mails: what it answers to their recipient. */
  refusal: { readonly responseCode: number } | undefined;
  close(): Promise<void>;
}

/** `port` 0 chooses one. */
export async function startMailServer(port = 0): Promise<MailServer> {
  const mails: string[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo(_address, _session, done) {
      const { refusal } = server;
      if (refusal === undefined) done();
      else done(Object.assign(new Error('not here'), refusal));
    },
    onData(stream, _session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        mails.push(Buffer.concat(parts).toString('utf8'));
        done();
      });
    },
  });
  await new Promise<void>((resolve) => void smtp.listen(port, '127.0.0.1', resolve));
  const bound = (smtp.server.address() as AddressInfo).port;
  const server: MailServer = {
    port: bound,
    url: `smtp://127.0.0.1:${bound}`,
    mails,
    refusal: undefined,
    close: () => new Promise((resolve) => void smtp.close(() => resolve())),
  };
  return server;
}

const headerOf = (source: string, name: string): string =>
  new RegExp(`^${name}: (.*(?:\\r?\\n[ \\t].*)*)`, 'im').exec(source)?.[1]?.replaceAll(/\r?\n[ \t]/g, ' ') ?? '';

export interface ReadMail {
  readonly to: string;
  readonly messageId: string;
  /** Both parts, decoded. */
  readonly body: string;
  /** The six digits that stand on a line of their own. */
  readonly code: string | undefined;
}

/** Reads what a person would see. Both parts of our mails are quoted-printable. */
export function readMail(source: string): ReadMail {
  const unfolded = source.replaceAll(/=\r?\n/g, '');
  const bytes = unfolded.replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const body = Buffer.from(bytes, 'latin1').toString('utf8');
  return {
    to: headerOf(source, 'To'),
    messageId: headerOf(source, 'Message-ID'),
    body,
    code: /^(\d{6})\r?$/m.exec(body)?.[1],
  };
}
