import { cronParameters, runTime, sampleCron } from '../../tool/cron.js';
import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { number, text } from '../../tool/parameters.js';
import { perCall } from '../../tool/prices.js';
import { inputError, momentOf, timeZoneOf } from '../../tool/shared-parameters.js';

const loadCron = lazy(async () => {
  const [cronstrue, { Cron }] = await Promise.all([import('cronstrue/i18n.js'), import('croner')]);
  return { explain: cronstrue.default.default, Cron };
});

export const explainCron = defineTool({
  toolId: 'almanac.cron.explain.v1',
  name: { en: 'Explain a cron schedule', zh: 'cron 表达式解释' },
  description: {
    en: 'Says in plain English and Chinese what a cron expression means and when it runs next in a time zone. For checking crontab lines and job schedules.',
    zh: '用中英文说明 cron 表达式的含义，并给出其在指定时区的后续执行时间。适合检查 crontab 与定时任务。',
  },
  categories: ['time-and-calendar', 'developer-tools'],
  capabilities: [{ id: 'time.cron_schedule', tags: ['crontab', 'scheduler', 'recurring job', 'next run'] }],
  parameters: cronParameters,
  sampleParameters: sampleCron,
  price: perCall('0.3'),
  run: async (parameters) => {
    const { explain, Cron } = await loadCron();
    const expression = text(parameters, 'expression');
    const timezone = timeZoneOf(parameters, 'time_zone');
    const after = momentOf(parameters, 'after');
    try {
      const say = (locale: string) => explain.toString(expression, { locale, use24HourTimeFormat: true });
      const schedule = new Cron(expression, { timezone, paused: true, mode: '5-part' });
      const runs = schedule.nextRuns(number(parameters, 'count', 5), after);
      return {
        explanation: say('en'),
        explanation_zh: say('zh_CN'),
        time_zone: timezone,
        next_runs: runs.map(runTime),
      };
    } catch (error) {
      throw inputError('The cron expression is wrong. Give five fields such as "0 9 * * 1-5"', error);
    }
  },
});
