import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { isText, list, text } from '../../tool/parameters.js';
import { free } from '../../tool/prices.js';
import { ToolInputError } from '../../tool/tool-input-error.js';

const loadLuxon = lazy(() => import('luxon'));

const zone = { type: 'string', minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_+:/-]+$' } as const;

export const convertTime = defineTool({
  toolId: 'almanac.time.convert.v1',
  name: { en: 'Convert a time between time zones', zh: '时区时间换算' },
  description: {
    en: 'Converts a date and time into other IANA time zones, daylight saving included: local time, UTC offset, zone abbreviation and weekday.',
    zh: '将日期时间换算到其他 IANA 时区（含夏令时），给出当地时间、UTC 偏移、时区缩写与星期。',
  },
  categories: ['time-and-calendar'],
  capabilities: [{ id: 'time.convert_zone', tags: ['timezone', 'world clock', 'daylight saving'] }],
  parameters: {
    datetime: {
      schema: { type: 'string', minLength: 10, maxLength: 40, examples: ['2026-07-01T12:00'] },
      en: 'ISO 8601 date and time. Without an offset it is read in from_zone.',
      zh: 'ISO 8601 日期时间。不带偏移时按 from_zone 解读。',
      required: true,
    },
    from_zone: {
      schema: { ...zone, default: 'UTC' },
      en: 'IANA time zone of a datetime without an offset.',
      zh: '不带偏移的日期时间所属的 IANA 时区。',
    },
    to_zones: {
      schema: { type: 'array', items: zone, minItems: 1, maxItems: 20, uniqueItems: true },
      en: 'IANA time zones to convert to.',
      zh: '目标 IANA 时区列表。',
      required: true,
    },
  },
  sampleParameters: {
    datetime: '2026-07-01T12:00',
    from_zone: 'Europe/Berlin',
    to_zones: ['America/New_York', 'Asia/Shanghai'],
  },
  price: free,
  run: async (parameters) => {
    const { DateTime, IANAZone } = await loadLuxon();
    const known = (name: string): string => {
      if (!IANAZone.isValidZone(name)) throw new ToolInputError(`"${name}" is not an IANA time zone.`);
      return name;
    };
    const moment = DateTime.fromISO(text(parameters, 'datetime'), {
      zone: known(text(parameters, 'from_zone', 'UTC')),
    });
    if (!moment.isValid) throw new ToolInputError('Parameter "datetime" is not an ISO 8601 date and time.');
    const conversions = list(parameters, 'to_zones', isText).map((name) => {
      const local = moment.setZone(known(name)).setLocale('en');
      return {
        zone: name,
        local_time: local.toISO({ suppressMilliseconds: true }) ?? '',
        utc_offset_minutes: local.offset,
        abbreviation: local.offsetNameShort ?? '',
        daylight_saving: local.isInDST,
        weekday: local.weekdayLong ?? '',
      };
    });
    return { utc: moment.toUTC().toISO({ suppressMilliseconds: true }), conversions };
  },
});
