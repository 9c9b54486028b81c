import 'reflect-metadata';
import { Controller, Injectable, Module, Scope } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { createMetrics } from '../observability/metrics.js';
import { delay } from '../util/timing.js';
import { PeriodicTasksModule } from './periodic-tasks.module.js';
import { jittered, PeriodicTasks } from './periodic-tasks.js';
import { Periodic } from './periodic.js';

async function open(...providers: (new () => object)[]) {
  return openWith({ providers });
}

async function openWith(members: { providers?: (new () => object)[]; controllers?: (new () => object)[] }) {
  const logs: { msg: string; task: string; level: number }[] = [];
  const metrics = createMetrics();
  const logger = pino(
    { level: 'warn' },
    { write: (line: string) => logs.push(JSON.parse(line) as (typeof logs)[number]) },
  );

  @Module({ imports: [PeriodicTasksModule.with({ service: 'test', logger, metrics })], ...members })
  class TestModule {}

  const app = await NestFactory.createApplicationContext(TestModule, { logger: false, abortOnError: false });
  const roundsOf = async (task: string, result: string): Promise<number> => {
    const { values = [] } = (await metrics.getSingleMetric('periodic_task_duration_seconds')?.get()) ?? {};
    const count = values.find(
      (value) =>
        'metricName' in value &&
        value.metricName === 'periodic_task_duration_seconds_count' &&
        value.labels['task'] === task &&
        value.labels['result'] === result,
    );
    return count?.value ?? 0;
  };
  const lastDone = async () =>
    (await metrics.getSingleMetric('periodic_task_last_done_timestamp_seconds')?.get())?.values ?? [];
  return { app, tasks: app.get(PeriodicTasks), get: <T>(type: new () => T) => app.get(type), logs, roundsOf, lastDone };
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await delay(2);
}

describe('periodic tasks', () => {
  it('come again and again once they are started, each at the interval that its instance tells', async () => {
    @Injectable()
    class Counting {
      rounds = 0;
      private readonly intervalMs = 1;

      @Periodic<Counting>({ name: 'count', everyMs: ({ intervalMs }) => intervalMs })
      async count(): Promise<void> {
        this.rounds += 1;
      }

      @Periodic({ name: 'rare', everyMs: 3_600_000, atStart: true })
      async rare(): Promise<void> {
        this.rareRounds += 1;
      }

      rareRounds = 0;

      @Periodic({ name: 'later', everyMs: 3_600_000 })
      async later(): Promise<void> {
        throw new Error('it comes after an hour');
      }
    }

    const { app, tasks, get, logs, roundsOf } = await open(Counting);
    await delay(20);
    expect(get(Counting).rounds).toBe(0);
    tasks.start();
    await until(() => get(Counting).rounds >= 3);
    await app.close();
    const { rounds, rareRounds } = get(Counting);
    await delay(20);
    expect([get(Counting).rounds, rareRounds, logs]).toEqual([rounds, 1, []]);
    expect(await roundsOf('count', 'done')).toBe(rounds);
  });

  it('never overlap, and the round in hand ends before the stop does', async () => {
    @Injectable()
    class Slow {
      atWork = 0;
      most = 0;
      ended = 0;

      @Periodic({ name: 'slow', everyMs: 1, atStart: true })
      async work(): Promise<void> {
        this.atWork += 1;
        this.most = Math.max(this.most, this.atWork);
        await delay(20);
        this.atWork -= 1;
        this.ended += 1;
      }
    }

    const { app, tasks, get } = await open(Slow);
    tasks.start();
    await until(() => get(Slow).ended >= 2 && get(Slow).atWork === 1);
    await tasks.stop();
    expect(get(Slow)).toMatchObject({ atWork: 0, most: 1 });
    await app.close();
  });

  it('go on after a round that failed, which is in the log and in the metrics', async () => {
    @Injectable()
    class Failing {
      rounds = 0;

      @Periodic({ name: 'failing', everyMs: 1 })
      async work(): Promise<void> {
        this.rounds += 1;
        if (this.rounds < 3) throw new Error('the database is away');
      }
    }

    const { app, tasks, get, logs, roundsOf } = await open(Failing);
    tasks.start();
    await until(() => get(Failing).rounds >= 3);
    await app.close();
    expect(logs).toMatchObject([
      { msg: 'a periodic task failed; it will run again', task: 'failing', level: pino.levels.values['error'] },
      { task: 'failing' },
    ]);
    expect(await roundsOf('failing', 'failed')).toBe(2);
    expect(await roundsOf('failing', 'done')).toBe(get(Failing).rounds - 2);
  });

  it('do not start where two have one name', async () => {
    @Injectable()
    class One {
      @Periodic({ name: 'sweep', everyMs: 1 })
      async work(): Promise<void> {}
    }

    @Injectable()
    class Other {
      @Periodic({ name: 'sweep', everyMs: 1 })
      async work(): Promise<void> {}
    }

    const { app, tasks } = await open(One, Other);
    expect(() => tasks.start()).toThrow(/two periodic tasks are named "sweep"/);
    await app.close();
  });

  it.each([
    ['tells 0', () => 0],
    ['tells no number', () => Number.NaN],
    [
      'throws',
      () => {
        throw new Error('no interval');
      },
    ],
  ])('go on at the last interval, and say so, where the instance later %s', async (_how, laterMs) => {
    @Injectable()
    class Wavering {
      rounds = 0;

      @Periodic<Wavering>({ name: 'waver', everyMs: ({ rounds }) => (rounds < 2 ? 20 : laterMs()) })
      async waver(): Promise<void> {
        this.rounds += 1;
      }
    }
    const { app, tasks, get, logs } = await open(Wavering);
    tasks.start();
    const startedAtMs = performance.now();
    const wavering = get(Wavering);
    await until(() => wavering.rounds >= 6);
    // Five intervals of 18 ms at least; without one, rounds come at once.
    expect(performance.now() - startedAtMs).toBeGreaterThan(80);
    await app.close();
    expect(logs[0]).toMatchObject({ task: 'waver', level: 50, msg: expect.stringContaining('interval') });
  });

  it.each([Number.NaN, 0, -1, Infinity, 2_147_483_648])('do not start with an interval of %d ms', async (everyMs) => {
    @Injectable()
    class Hasty {
      @Periodic({ name: 'sweep', everyMs })
      async work(): Promise<void> {}
    }

    @Injectable()
    class Configured {
      readonly everyMs = everyMs;

      @Periodic<Configured>({ name: 'sweep', everyMs: (task) => task.everyMs })
      async work(): Promise<void> {}
    }

    for (const [type, method] of [
      [Hasty, 'Hasty.work'],
      [Configured, 'Configured.work'],
    ] as const) {
      const { app, tasks } = await open(type);
      expect(() => tasks.start()).toThrow(`@Periodic ${method}: everyMs is ${everyMs}`);
      await app.close();
    }
  });

  it('do not start where a method would never be called: in a controller, or in a provider of a request', async () => {
    @Controller()
    class Misplaced {
      @Periodic({ name: 'sweep', everyMs: 1 })
      async work(): Promise<void> {}
    }

    @Injectable({ scope: Scope.REQUEST })
    class Passing {
      @Periodic({ name: 'sweep', everyMs: 1 })
      async work(): Promise<void> {}
    }

    const misplaced = await openWith({ controllers: [Misplaced] });
    expect(() => misplaced.tasks.start()).toThrow('@Periodic Misplaced.work is in a controller');
    await misplaced.app.close();
    const passing = await open(Passing);
    expect(() => passing.tasks.start()).toThrow('@Periodic Passing.work has no instance that lasts');
    await passing.app.close();
  });

  it('have an age from the start on, also where no round ever ends well', async () => {
    @Injectable()
    class Failing {
      rounds = 0;

      @Periodic({ name: 'failing', everyMs: 1, atStart: true })
      async work(): Promise<void> {
        this.rounds += 1;
        throw new Error('the database is away');
      }
    }

    const before = Date.now() / 1_000;
    const { app, tasks, get, lastDone } = await open(Failing);
    expect(await lastDone()).toEqual([]);
    tasks.start();
    await until(() => get(Failing).rounds >= 2);
    const [age] = await lastDone();
    expect(age?.labels).toEqual({ service: 'test', task: 'failing' });
    expect(age?.value).toBeGreaterThanOrEqual(before);
    await app.close();
  });

  it('wait a random part of their interval less, and never more than it', async () => {
    const early: number[] = [];
    for (let n = 0; n < 20; n += 1) early.push(jittered(1_000, Math.random));
    for (const ms of early) {
      expect(ms).toBeLessThanOrEqual(1_000);
      expect(ms).toBeGreaterThan(900);
    }
    expect(new Set(early).size).toBeGreaterThan(1);
  });
});
