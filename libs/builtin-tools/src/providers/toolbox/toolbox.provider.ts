import type { ProviderDefinition } from '@capability-router/contracts';

export const toolbox: ProviderDefinition = {
  providerId: 'toolbox',
  name: { en: 'Toolbox', zh: '工具箱' },
  description: {
    en: 'Small utilities at small prices: CSV, QR codes, quick distances and quick language checks.',
    zh: '小巧低价的实用工具：CSV、二维码、快速测距与快速语种识别。',
  },
};
