import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { flag, text } from '../../tool/parameters.js';
import { perCall } from '../../tool/prices.js';
import { inputError } from '../../tool/shared-parameters.js';

const loadBarcodes = lazy(async () => (await import('bwip-js/node')).default);

/** The library's names. */
const symbologies = {
  ean13: 'ean13',
  ean8: 'ean8',
  upca: 'upca',
  code128: 'code128',
  code39: 'code39',
  itf14: 'itf14',
  isbn: 'isbn',
  datamatrix: 'datamatrix',
  pdf417: 'pdf417',
  aztec: 'azteccode',
  qr: 'qrcode',
} as const;
type Kind = keyof typeof symbologies;

export const drawBarcode = defineTool({
  toolId: 'forge.barcode.draw.v1',
  name: { en: 'Draw a barcode', zh: '生成条形码' },
  description: {
    en: 'Draws a barcode as a scalable SVG image: EAN-13, EAN-8, UPC-A, ISBN, Code 128, Code 39, ITF-14, Data Matrix, PDF417, Aztec or QR, for labels, tickets and parcels. Wrong check digits are refused.',
    zh: '生成可缩放的 SVG 条形码：EAN-13、EAN-8、UPC-A、ISBN、Code 128、Code 39、ITF-14、Data Matrix、PDF417、Aztec 或 QR，用于标签、票券与包裹。校验位错误会被拒绝。',
  },
  categories: ['data-formats'],
  capabilities: [{ id: 'image.qr_code', tags: ['barcode', 'EAN', 'UPC', 'label', 'Data Matrix', 'ticket'] }],
  parameters: {
    kind: {
      schema: { type: 'string', enum: Object.keys(symbologies) },
      en: 'Kind of barcode.',
      zh: '条形码种类。',
      required: true,
    },
    text: {
      schema: { type: 'string', minLength: 1, maxLength: 1_000 },
      en: 'Content of the code: digits for product codes, any text for the others.',
      zh: '条码内容：商品码为数字，其他种类可为任意文本。',
      required: true,
    },
    show_text: {
      schema: { type: 'boolean', default: true },
      en: 'Print the content below a linear code.',
      zh: '是否在一维码下方显示内容。',
    },
  },
  sampleParameters: { kind: 'ean13', text: '4006381333931' },
  price: perCall('1.2'),
  run: async (parameters) => {
    const { toSVG } = await loadBarcodes();
    const kind = text(parameters, 'kind') as Kind;
    try {
      const svg = toSVG({
        bcid: symbologies[kind],
        text: text(parameters, 'text'),
        includetext: flag(parameters, 'show_text', true),
        textxalign: 'center',
      });
      return { svg, media_type: 'image/svg+xml', kind };
    } catch (error) {
      throw inputError(`The text cannot be drawn as ${kind}`, error);
    }
  },
});
