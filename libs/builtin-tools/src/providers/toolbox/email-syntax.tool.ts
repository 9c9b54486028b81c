import { defineTool } from '../../tool/define-tool.js';
import { text } from '../../tool/parameters.js';
import { free } from '../../tool/prices.js';
import { loadValidator } from '../../tool/validator.js';

export const emailSyntax = defineTool({
  toolId: 'toolbox.email.check.v1',
  name: { en: 'E-mail syntax check', zh: '邮箱格式检查' },
  description: {
    en: 'Tells whether a text has the form of an e-mail address, and gives its canonical form, in which addresses that reach the same mailbox at Gmail, Outlook, Yahoo or iCloud are equal. Free.',
    zh: '判断文本是否符合电子邮件地址格式，并给出规范形式，使 Gmail、Outlook、Yahoo、iCloud 中指向同一邮箱的地址相同。免费。',
  },
  categories: ['validation', 'communication'],
  capabilities: [{ id: 'communication.check_email', tags: ['syntax', 'format', 'deduplicate', 'normalize'] }],
  parameters: {
    address: {
      schema: { type: 'string', minLength: 1, maxLength: 400 },
      en: 'Address alone, without a name.',
      zh: '单独的邮件地址，不带姓名。',
      required: true,
    },
  },
  sampleParameters: { address: 'Ada.Lovelace+news@gmail.com' },
  price: free,
  run: async (parameters) => {
    const { isEmail, normalizeEmail } = await loadValidator();
    const address = text(parameters, 'address').trim();
    if (!isEmail(address, { allow_utf8_local_part: true })) return { well_formed: false };
    const canonical = normalizeEmail(address);
    return {
      well_formed: true,
      canonical: canonical === false ? null : canonical,
      domain: address.slice(address.lastIndexOf('@') + 1).toLowerCase(),
    };
  },
});
