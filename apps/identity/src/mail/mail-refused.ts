/** The mail server will never take this mail. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';

  constructor(cause: unknown) {
    super('the mail server refuses the mail', { cause });
  }
}
