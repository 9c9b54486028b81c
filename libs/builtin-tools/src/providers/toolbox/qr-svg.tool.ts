import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { number, text } from '../../tool/parameters.js';
import { perCall } from '../../tool/prices.js';
import { inputError } from '../../tool/shared-parameters.js';

const loadQrCode = lazy(async () => (await import('qrcode')).default);

const levels = ['L', 'M', 'Q', 'H'] as const;

export const qrSvg = defineTool({
  toolId: 'toolbox.qr.svg.v1',
  name: { en: 'QR code as SVG', zh: '生成二维码（SVG）' },
  description: {
    en: 'Draws a QR code of a link or any text as a scalable SVG image.',
    zh: '将链接或任意文本生成为可缩放的 SVG 二维码图片。',
  },
  categories: ['data-formats'],
  capabilities: [{ id: 'image.qr_code', tags: ['barcode', 'link', 'image'] }],
  parameters: {
    text: {
      schema: { type: 'string', minLength: 1, maxLength: 2_000 },
      en: 'Content of the code.',
      zh: '二维码内容。',
      required: true,
    },
    error_correction: {
      schema: { type: 'string', enum: [...levels], default: 'M' },
      en: 'How much damage the code survives: L 7 %, M 15 %, Q 25 %, H 30 %.',
      zh: '容错等级：L 7%、M 15%、Q 25%、H 30%。',
    },
    margin: {
      schema: { type: 'integer', minimum: 0, maximum: 10, default: 4 },
      en: 'Quiet zone around the code, modules.',
      zh: '四周留白（模块数）。',
    },
  },
  sampleParameters: { text: 'https://example.com/' },
  price: perCall('1'),
  run: async (parameters) => {
    const qr = await loadQrCode();
    const content = text(parameters, 'text');
    const level = levels.find((known) => known === text(parameters, 'error_correction', 'M')) ?? 'M';
    try {
      const { version, modules } = qr.create(content, { errorCorrectionLevel: level });
      const margin = number(parameters, 'margin', 4);
      const svg = await qr.toString(content, { type: 'svg', errorCorrectionLevel: level, margin });
      return { svg, media_type: 'image/svg+xml', version, modules_per_side: modules.size };
    } catch (error) {
      throw inputError('The text does not fit into a QR code', error);
    }
  },
});
