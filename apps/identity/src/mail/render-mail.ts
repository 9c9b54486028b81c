import { once } from '@capability-router/kernel';
import type { Mail, RenderedMail } from './mail.js';
import { htmlOf, templates, textOf } from './templates.js';

/** Loaded with the first mail. What it puts into HTML is escaped, what it puts into text is not. */
const loadEngines = once(async () => {
  const { Eta } = await import('eta');
  return { html: new Eta({ autoEscape: true }), text: new Eta({ autoEscape: false }) };
});

export async function renderMail(mail: Mail, messageId: string): Promise<RenderedMail> {
  const template = templates[mail.kind][mail.language];
  const { html, text } = await loadEngines();
  return {
    to: mail.to,
    subject: template.subject,
    text: text.renderString(textOf(template), mail),
    html: html.renderString(htmlOf(template, mail.language), mail),
    messageId,
  };
}
