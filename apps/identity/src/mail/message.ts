import type { RenderedMail } from './mail.js';

/** As nodemailer takes it. Quoted-printable, so that a code can be read in the source of any language. */
export const messageOf = ({ to, subject, text, html, messageId }: RenderedMail, from: string) => ({
  from,
  to,
  subject,
  text,
  html,
  messageId,
  textEncoding: 'quoted-printable' as const,
  headers: { 'Auto-Submitted': 'auto-generated' },
});
