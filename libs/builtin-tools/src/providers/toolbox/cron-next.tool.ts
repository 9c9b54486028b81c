import { cronParameters, runTime, sampleCron } from '../../tool/cron.js';
import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { number, text } from '../../tool/parameters.js';
import { free } from '../../tool/prices.js';
import { inputError, momentOf, timeZoneOf } from '../../tool/shared-parameters.js';

const loadParser = lazy(() => import('cron-parser'));

export const cronNext = defineTool({
  toolId: 'toolbox.cron.next.v1',
  name: { en: 'Next runs of a cron job', zh: 'cron 下次执行时间' },
  description: {
    en: 'Lists when a cron expression fires next, in UTC, daylight saving of its time zone included. Free.',
    zh: '列出 cron 表达式接下来的触发时刻（UTC），已计入所在时区的夏令时。免费。',
  },
  categories: ['time-and-calendar', 'developer-tools'],
  capabilities: [{ id: 'time.cron_schedule', tags: ['crontab', 'next run', 'schedule'] }],
  parameters: cronParameters,
  sampleParameters: sampleCron,
  price: free,
  run: async (parameters) => {
    const { CronExpressionParser } = await loadParser();
    const tz = timeZoneOf(parameters, 'time_zone');
    const currentDate = momentOf(parameters, 'after');
    try {
      const schedule = CronExpressionParser.parse(text(parameters, 'expression'), { tz, currentDate });
      const runs = schedule.take(number(parameters, 'count', 5));
      return { time_zone: tz, next_runs: runs.map((run) => runTime(run.toDate())) };
    } catch (error) {
      throw inputError('The cron expression is wrong. Give five fields such as "0 9 * * 1-5"', error);
    }
  },
});
