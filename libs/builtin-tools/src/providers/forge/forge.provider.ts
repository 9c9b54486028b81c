import type { ProviderDefinition } from '@capability-router/contracts';

export const forge: ProviderDefinition = {
  providerId: 'forge',
  name: { en: 'Forge', zh: '锻造坊' },
  description: {
    en: 'What developers reach for: JSONPath, regular expressions, hashes, XML and YAML, identifiers, versions, URLs, networks, colours and barcodes.',
    zh: '开发者常用工具：JSONPath、正则表达式、哈希、XML 与 YAML、标识符、版本号、网址、网络、颜色与条形码。',
  },
};
