import type { Language } from '@capability-router/contracts';

/**
 * A mail before it is rendered. Nothing that a stranger wrote stands in it, such as the name of an agent: otherwise our
 * server would carry their words to addresses of their choice.
 */
export interface Mail {
  readonly kind: 'claim_code' | 'claim_has_account' | 'sign_in_code' | 'sign_in_no_account';
  readonly to: string;
  readonly language: Language;
  /** Six digits; of no meaning to the kinds that show none, which carry one all the same. */
  readonly code: string;
  /** Minutes for which the code works. */
  readonly minutes: number;
  /** Origin of the deployment. */
  readonly origin: string;
}

/** A mail as it leaves. */
export interface RenderedMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The same however often it is tried, so that a receiver recognises one that comes twice. */
  readonly messageId: string;
}

/** Resolves once the mail is in somebody else's hands. Throws `MailRefused` where trying again is of no use. */
export type SendMail = (mail: RenderedMail) => Promise<void>;
