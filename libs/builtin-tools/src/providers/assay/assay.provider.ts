import type { ProviderDefinition } from '@capability-router/contracts';

export const assay: ProviderDefinition = {
  providerId: 'assay',
  name: { en: 'Assay', zh: '验真' },
  description: {
    en: 'Is this number, address or code well formed? Bank accounts, e-mail addresses, payment cards, books and products.',
    zh: '检验号码、地址与编码是否合规：银行账号、电子邮件、支付卡、图书与商品编码。',
  },
};
