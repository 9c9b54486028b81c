import type { Language, OAuthScope } from '@capability-router/contracts';

/** Why a page is shown again. */
export type Problem =
  | 'no_code'
  | 'unknown_code'
  | 'too_many_codes'
  | 'wrong_key'
  | 'no_tries'
  | 'nothing_to_give'
  | 'not_an_email'
  | 'mail_too_soon'
  | 'mail_too_many'
  | 'mail_away'
  | 'wrong_mailed_code'
  | 'no_mailed_code'
  | 'lapsed'
  | 'unreadable';

export interface PageTexts {
  readonly title: string;
  readonly problems: Readonly<Record<Problem, string>>;
  readonly enterCode: {
    readonly heading: string;
    readonly intro: string;
    readonly label: string;
    readonly next: string;
  };
  readonly signIn: {
    readonly heading: string;
    readonly intro: (client: string) => string;
    readonly keyHeading: string;
    readonly keyLabel: string;
    readonly keyHint: string;
    readonly keyNext: string;
    readonly mailHeading: string;
    readonly mailLabel: string;
    readonly mailHint: string;
    readonly mailNext: string;
  };
  readonly mailedCode: {
    readonly heading: string;
    readonly intro: (email: string) => string;
    readonly label: string;
    readonly next: string;
    readonly again: string;
  };
  readonly consent: {
    readonly heading: (client: string) => string;
    readonly code: string;
    readonly warning: string;
    readonly as: string;
    readonly resource: string;
    readonly scopes: string;
    readonly leftOut: string;
    readonly lasts: (days: number) => string;
    readonly approve: string;
    readonly deny: string;
  };
  readonly scopes: Readonly<Record<OAuthScope, string>>;
  readonly approved: { readonly heading: string; readonly text: string };
  readonly denied: { readonly heading: string; readonly text: string };
}

export const pageTexts: Readonly<Record<Language, PageTexts>> = {
  en: {
    title: 'Connect a device',
    problems: {
      no_code: 'Enter the code of eight letters that your device shows.',
      unknown_code:
        'No device waits with this code. Look at the code on your device; if it has lapsed, begin again there.',
      too_many_codes: 'Too many wrong codes were entered from your network today. Try again tomorrow (UTC).',
      wrong_key: 'This is not a valid API key. Paste the whole key, which begins with "sk-".',
      no_tries: 'Too many keys were tried for this code. Begin again on your device.',
      nothing_to_give: 'This key has none of the rights that the program asks for. Use another key.',
      not_an_email: 'Enter an address such as name@example.com.',
      mail_too_soon: 'A code was mailed a moment ago. Enter it, or ask for another one in a minute.',
      mail_too_many: 'Too many codes were mailed today. Sign in with an API key, or try again tomorrow (UTC).',
      mail_away: 'No mail can be sent now. Sign in with an API key, or try again in a minute.',
      wrong_mailed_code: 'This is not the code of the newest mail. Try again.',
      no_mailed_code: 'This code does not work any more. Ask for a new one.',
      lapsed: 'Your sign-in has lapsed, or was decided before. Enter the code once more.',
      unreadable: 'The form could not be read. Begin again.',
    },
    enterCode: {
      heading: 'Connect a device',
      intro: 'A program on another device asks for access to your account. Enter the code that it shows.',
      label: 'Code on your device',
      next: 'Continue',
    },
    signIn: {
      heading: 'Sign in',
      intro: (client) => `${client} asks for access. Sign in to see what it asks for; nothing is given yet.`,
      keyHeading: 'With an API key',
      keyLabel: 'API key',
      keyHint: 'The access is held by the limits of this key, and ends with it.',
      keyNext: 'Sign in with the key',
      mailHeading: 'With an e-mailed code',
      mailLabel: 'E-mail address of your account',
      mailHint: 'If the address has an account, a code is mailed to it.',
      mailNext: 'Mail me a code',
    },
    mailedCode: {
      heading: 'Enter the mailed code',
      intro: (email) => `If ${email} has an account, a code of six digits is on its way. It works once.`,
      label: 'Code from the mail',
      next: 'Sign in',
      again: 'Mail another code',
    },
    consent: {
      heading: (client) => `Give ${client} access?`,
      code: 'Code on the device',
      warning:
        'Approve only if you began this yourself, and your device shows this code now. If somebody sent you the code or the link, deny.',
      as: 'Signed in as',
      resource: 'It gets access to',
      scopes: 'It will be able to',
      leftOut: 'It also asks for what your key does not have, and will not get it',
      lasts: (days) => `The access ends after ${days} days at the latest.`,
      approve: 'Approve',
      deny: 'Deny',
    },
    scopes: {
      call: 'find and call tools, which spends credits of your account',
      read: 'read your usage, your ledger and your credits',
      manage: 'manage the credentials that your account has at providers',
    },
    approved: {
      heading: 'Access given',
      text: 'Your device goes on by itself within seconds. You can close this page.',
    },
    denied: { heading: 'Access denied', text: 'The device gets nothing. You can close this page.' },
  },
  zh: {
    title: '连接设备',
    problems: {
      no_code: '请输入设备上显示的八个字母的代码。',
      unknown_code: '没有设备正在等待此代码。请核对设备上的代码；如已过期，请在设备上重新开始。',
      too_many_codes: '今天您的网络输入错误代码的次数过多。请明天（UTC）再试。',
      wrong_key: '这不是有效的 API 密钥。请粘贴以“sk-”开头的完整密钥。',
      no_tries: '此代码已尝试过多密钥。请在设备上重新开始。',
      nothing_to_give: '此密钥不具备该程序请求的任何权限。请使用其他密钥。',
      not_an_email: '请输入邮箱地址，例如 name@example.com。',
      mail_too_soon: '验证码刚刚已发送。请输入该验证码，或一分钟后重新获取。',
      mail_too_many: '今天发送的验证码过多。请使用 API 密钥登录，或明天（UTC）再试。',
      mail_away: '目前无法发送邮件。请使用 API 密钥登录，或一分钟后再试。',
      wrong_mailed_code: '这不是最新邮件中的验证码。请重试。',
      no_mailed_code: '此验证码已失效。请重新获取。',
      lapsed: '您的登录已过期，或该请求已处理。请重新输入代码。',
      unreadable: '无法读取表单。请重新开始。',
    },
    enterCode: {
      heading: '连接设备',
      intro: '另一台设备上的程序请求访问您的账户。请输入该设备显示的代码。',
      label: '设备上的代码',
      next: '继续',
    },
    signIn: {
      heading: '登录',
      intro: (client) => `${client} 请求访问权限。登录后可查看其请求的内容；目前尚未授予任何权限。`,
      keyHeading: '使用 API 密钥',
      keyLabel: 'API 密钥',
      keyHint: '该访问权限受此密钥的限额约束，并随密钥一同失效。',
      keyNext: '使用密钥登录',
      mailHeading: '使用邮件验证码',
      mailLabel: '您账户的邮箱地址',
      mailHint: '如果该邮箱已有账户，我们会向其发送验证码。',
      mailNext: '发送验证码',
    },
    mailedCode: {
      heading: '输入邮件验证码',
      intro: (email) => `如果 ${email} 已有账户，六位数字的验证码正在发送。验证码仅可使用一次。`,
      label: '邮件中的验证码',
      next: '登录',
      again: '重新发送验证码',
    },
    consent: {
      heading: (client) => `授予 ${client} 访问权限？`,
      code: '设备上的代码',
      warning: '仅当这是您本人发起的操作，且您的设备此刻显示此代码时才批准。如果代码或链接由他人发送给您，请拒绝。',
      as: '登录身份',
      resource: '它将访问',
      scopes: '它将能够',
      leftOut: '它还请求了您的密钥不具备的权限，这些权限不会授予',
      lasts: (days) => `访问权限最迟在 ${days} 天后结束。`,
      approve: '批准',
      deny: '拒绝',
    },
    scopes: {
      call: '查找并调用工具，这会消耗您账户的积分',
      read: '读取您的用量、账目和积分',
      manage: '管理您的账户在服务商处的凭证',
    },
    approved: { heading: '已授予访问权限', text: '您的设备将在数秒内自动继续。您可以关闭此页面。' },
    denied: { heading: '已拒绝访问', text: '设备不会获得任何权限。您可以关闭此页面。' },
  },
};
