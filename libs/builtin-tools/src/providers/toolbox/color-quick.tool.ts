import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { text } from '../../tool/parameters.js';
import { free } from '../../tool/prices.js';
import { ToolInputError } from '../../tool/tool-input-error.js';

const loadColord = lazy(() => import('colord'));

export const colorQuick = defineTool({
  toolId: 'toolbox.color.convert.v1',
  name: { en: 'Hex, RGB and HSL of a colour', zh: '颜色的 Hex、RGB 与 HSL' },
  description: {
    en: 'Converts a web colour between hex, rgb() and hsl(), and tells whether it is dark, with its inverse and lighter and darker shades. Free.',
    zh: '在 hex、rgb() 与 hsl() 之间转换网页颜色，判断深浅，并给出反色及更亮、更暗的色调。免费。',
  },
  categories: ['developer-tools'],
  capabilities: [{ id: 'color.convert', tags: ['hex', 'rgb', 'hsl', 'shade', 'css'] }],
  parameters: {
    value: {
      schema: { type: 'string', minLength: 3, maxLength: 60 },
      en: 'Colour as hex, rgb() or hsl(); no names.',
      zh: '以 hex、rgb() 或 hsl() 书写的颜色；不支持颜色名称。',
      required: true,
    },
  },
  sampleParameters: { value: '#663399' },
  price: free,
  run: async (parameters) => {
    const { colord } = await loadColord();
    const color = colord(text(parameters, 'value'));
    if (!color.isValid()) {
      throw new ToolInputError('Parameter "value" is no colour. Write it like "#663399" or "rgb(102, 51, 153)".');
    }
    const { r, g, b, a } = color.toRgb();
    const { h, s, l } = color.toHsl();
    return {
      hex: color.toHex(),
      rgb: { r, g, b },
      hsl: { h, s, l },
      alpha: a,
      dark: color.isDark(),
      inverse: color.invert().toHex(),
      lighter: color.lighten(0.1).toHex(),
      darker: color.darken(0.1).toHex(),
    };
  },
});
