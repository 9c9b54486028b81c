import { defineTool } from '../../tool/define-tool.js';
import { rounded } from '../../tool/numbers.js';
import { lazy } from '../../tool/operation.js';
import { optionalText, text } from '../../tool/parameters.js';
import { perCall } from '../../tool/prices.js';
import { ToolInputError } from '../../tool/tool-input-error.js';

const loadCulori = lazy(() => import('culori'));

const color = { type: 'string', minLength: 3, maxLength: 100 } as const;

export const convertColor = defineTool({
  toolId: 'forge.color.convert.v1',
  name: { en: 'Convert a colour and check its contrast', zh: '颜色转换与对比度检查' },
  description: {
    en: 'Converts any CSS colour (name, hex, rgb, hsl, lab, oklch, display-p3) to hex, RGB, HSL, Lab and OKLCH, and measures the WCAG contrast against a background for accessibility.',
    zh: '将任意 CSS 颜色（名称、十六进制、rgb、hsl、lab、oklch、display-p3）转换为十六进制、RGB、HSL、Lab 与 OKLCH，并按 WCAG 计算与背景色的对比度，用于无障碍检查。',
  },
  categories: ['developer-tools'],
  capabilities: [{ id: 'color.convert', tags: ['hex', 'rgb', 'hsl', 'oklch', 'contrast', 'accessibility', 'design'] }],
  parameters: {
    color: { schema: color, en: 'CSS colour.', zh: 'CSS 颜色。', required: true },
    background: { schema: color, en: 'CSS colour behind it; white when left out.', zh: '背景的 CSS 颜色；默认白色。' },
  },
  sampleParameters: { color: 'rebeccapurple', background: '#ffffff' },
  price: perCall('0.2'),
  run: async (parameters) => {
    const { clampRgb, converter, formatCss, formatHex, inGamut, parse, wcagContrast } = await loadCulori();
    const read = (name: string, written: string) => {
      const parsed = parse(written.trim());
      if (parsed !== undefined) return parsed;
      throw new ToolInputError(
        `Parameter "${name}" is no CSS colour. Write it like "#663399" or "oklch(0.7 0.1 200)".`,
      );
    };
    const wanted = read('color', text(parameters, 'color'));
    const background = read('background', optionalText(parameters, 'background') ?? 'white');
    const srgb = clampRgb(converter('rgb')(wanted));
    const hsl = converter('hsl')(srgb);
    const lab = converter('lab')(wanted);
    const oklch = converter('oklch')(wanted);
    const contrast = rounded(wcagContrast(wanted, background), 2);
    return {
      hex: formatHex(srgb),
      rgb: { r: byte(srgb.r), g: byte(srgb.g), b: byte(srgb.b) },
      hsl: { h: rounded(hsl.h ?? 0, 1), s: rounded(hsl.s * 100, 1), l: rounded(hsl.l * 100, 1) },
      lab: { l: rounded(lab.l, 2), a: rounded(lab.a, 2), b: rounded(lab.b, 2) },
      oklch: { l: rounded(oklch.l, 4), c: rounded(oklch.c, 4), h: rounded(oklch.h ?? 0, 2) },
      alpha: wanted.alpha ?? 1,
      css: formatCss(wanted),
      in_srgb: inGamut('rgb')(wanted),
      contrast_ratio: contrast,
      readable_as_text: contrast >= WCAG_AA_CONTRAST,
    };
  },
});

/** WCAG 2.2, criterion 1.4.3. */
const WCAG_AA_CONTRAST = 4.5;

const byte = (channel: number): number => Math.round(channel * 255);
