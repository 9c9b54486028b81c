import type { Language } from '@capability-router/contracts';
import type { Mail } from './mail.js';

interface Template {
  readonly subject: string;
  /** Paragraphs in the language of Eta; `code` stands on a line of its own. */
  readonly paragraphs: readonly string[];
}

const CODE = '<%= it.code %>';

/** By kind and language. `it` is the `Mail`. */
export const templates: Readonly<Record<Mail['kind'], Readonly<Record<Language, Template>>>> = {
  claim_code: {
    en: {
      subject: 'Your code for claiming an agent',
      paragraphs: [
        'Somebody wants to bind a trial agent at <%= it.origin %> to this address. Enter this code to confirm it:',
        CODE,
        'It works once, for <%= it.minutes %> minutes, and a newer code replaces it. Whoever enters it gives the agent an account in your name.',
        'If this was not you, ignore this mail. Never pass the code on.',
      ],
    },
    zh: {
      subject: '认领智能体的验证码',
      paragraphs: [
        '有人希望将 <%= it.origin %> 上的试用智能体绑定到此邮箱。请输入以下验证码进行确认：',
        CODE,
        '验证码仅可使用一次，<%= it.minutes %> 分钟内有效；新的验证码会使其失效。输入验证码后，该智能体将获得以您名义开设的账户。',
        '如果不是您本人操作，请忽略此邮件。切勿将验证码告诉他人。',
      ],
    },
  },
  claim_has_account: {
    en: {
      subject: 'You have an account already',
      paragraphs: [
        'Somebody wants to bind a trial agent at <%= it.origin %> to this address. It has an account there already, so there is no code and nothing was changed.',
        'To use your account, give the agent an API key of it. To claim the trial, use another address.',
        'If this was not you, ignore this mail.',
      ],
    },
    zh: {
      subject: '您已拥有账户',
      paragraphs: [
        '有人希望将 <%= it.origin %> 上的试用智能体绑定到此邮箱。该邮箱已有账户，因此没有发送验证码，也没有任何更改。',
        '如需使用您的账户，请为智能体提供该账户的 API 密钥；如需认领该试用，请使用其他邮箱。',
        '如果不是您本人操作，请忽略此邮件。',
      ],
    },
  },
  sign_in_code: {
    en: {
      subject: 'Your code for signing in',
      paragraphs: [
        'Somebody wants to connect a device to your account at <%= it.origin %>. Enter this code on the page that asked for it:',
        CODE,
        'It works once, for <%= it.minutes %> minutes, and a newer code replaces it. Whoever enters it can give a program access to your account.',
        'If this was not you, ignore this mail. Never pass the code on, whoever asks for it.',
      ],
    },
    zh: {
      subject: '您的登录验证码',
      paragraphs: [
        '有人希望将一台设备连接到您在 <%= it.origin %> 的账户。请在请求验证码的页面输入：',
        CODE,
        '验证码仅可使用一次，<%= it.minutes %> 分钟内有效；新的验证码会使其失效。输入验证码的人可以授予程序访问您账户的权限。',
        '如果不是您本人操作，请忽略此邮件。切勿将验证码告诉任何人。',
      ],
    },
  },
  sign_in_no_account: {
    en: {
      subject: 'There is no account with this address',
      paragraphs: [
        'Somebody wants to connect a device to an account of this address at <%= it.origin %>. There is none that can be used, so there is no code and nothing was changed.',
        'If you have an account, sign in with the address that it was opened with, or with an API key of it.',
        'If this was not you, ignore this mail.',
      ],
    },
    zh: {
      subject: '此邮箱没有账户',
      paragraphs: [
        '有人希望将一台设备连接到此邮箱在 <%= it.origin %> 的账户。没有可用的账户，因此没有发送验证码，也没有任何更改。',
        '如果您有账户，请使用开户时的邮箱或该账户的 API 密钥登录。',
        '如果不是您本人操作，请忽略此邮件。',
      ],
    },
  },
};

const htmlParagraph = (paragraph: string): string =>
  paragraph === CODE
    ? `<p style="font:600 28px/1.5 monospace;letter-spacing:4px">${CODE}</p>`
    : `<p style="font:16px/1.5 sans-serif">${paragraph}</p>`;

export const textOf = ({ paragraphs }: Template): string => `${paragraphs.join('\n\n')}\n`;

export const htmlOf = ({ subject, paragraphs }: Template, language: Language): string =>
  [
    '<!doctype html>',
    `<html lang="${language}"><head><meta charset="utf-8"><title>${subject}</title></head>`,
    `<body>${paragraphs.map(htmlParagraph).join('\n')}</body></html>`,
  ].join('\n');
