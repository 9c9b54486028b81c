import type { JsonObject } from '@capability-router/kernel';
import type { ParameterDefinitions } from './define-tool.js';

/** Code that the tools of the capability `time.cron_schedule` share. */

/** Runs. */
const MAX_RUNS = 50;

export const cronParameters = {
  expression: {
    schema: { type: 'string', minLength: 9, maxLength: 120, pattern: '^[0-9A-Za-z*/,#?L \\t-]+$' },
    en: 'Cron expression of five fields: minute, hour, day of month, month, day of week.',
    zh: '五段 cron 表达式：分 时 日 月 周。',
    required: true,
  },
  time_zone: {
    schema: { type: 'string', minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_+/-]+$', default: 'UTC' },
    en: 'IANA time zone in which the schedule is meant.',
    zh: '计划所在的 IANA 时区。',
  },
  after: {
    schema: { type: 'string', minLength: 10, maxLength: 40, examples: ['2026-07-01T00:00:00Z'] },
    en: 'ISO 8601 moment with an offset; runs after it are listed.',
    zh: '带偏移的 ISO 8601 时刻；列出其后的执行时间。',
    required: true,
  },
  count: {
    schema: { type: 'integer', minimum: 1, maximum: MAX_RUNS, default: 5 },
    en: 'How many of the next runs are wanted.',
    zh: '需要列出的后续执行次数。',
  },
} satisfies ParameterDefinitions;

export const sampleCron = {
  expression: '*/15 9-17 * * 1-5',
  time_zone: 'Europe/Berlin',
  after: '2026-07-04T12:00:00Z',
  count: 3,
} satisfies JsonObject;

/** ISO 8601 in UTC to the second. */
export const runTime = (moment: Date): string => moment.toISOString().replace('.000Z', 'Z');
