import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram, freePorts, OperatorError, type AlertRule } from '@capability-router/tools-stack';
import { pause } from '../load.js';

/** Prometheus scrapes and judges so often. */
const INTERVAL = '1s';
const START_TIMEOUT_MS = 60_000;
const POLL_MS = 250;
/** The labels that the ServiceMonitor of the chart sets on every series. */
const RELEASE = { namespace: 'tools', release: 'capability-router' };

interface ActiveAlert {
  readonly state: 'pending' | 'firing';
  readonly labels: Readonly<Record<string, string>>;
}

/** A Prometheus of the machine that scrapes services and judges rules, until it is stopped. */
export class Prometheus {
  private constructor(
    private readonly origin: string,
    private readonly folder: string,
    private readonly server: ChildProcess,
  ) {}

  /** `targets`: `host:port` of each place with `/metrics`. Resolves when it answers. */
  static async start(targets: readonly string[], rules: readonly AlertRule[]): Promise<Prometheus> {
    const program = findProgram('prometheus');
    if (program === undefined) throw new OperatorError('prometheus is not installed: apt-get install prometheus');
    const folder = await mkdtemp(join(tmpdir(), 'prometheus-'));
    // JSON is YAML, too.
    const config = {
      global: { scrape_interval: INTERVAL, scrape_timeout: INTERVAL, evaluation_interval: INTERVAL },
      rule_files: ['rules.json'],
      scrape_configs: [{ job_name: 'capability-router', static_configs: [{ targets, labels: RELEASE }] }],
    };
    await writeFile(join(folder, 'config.json'), JSON.stringify(config));
    await writeFile(join(folder, 'rules.json'), JSON.stringify({ groups: [{ name: 'alerts', rules }] }));
    const [port] = await freePorts(1);
    const args = [
      `--config.file=${join(folder, 'config.json')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ];
    const server = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    const prometheus = new Prometheus(`http://127.0.0.1:${port}`, folder, server);
    await prometheus.untilReady();
    return prometheus;
  }

  /** The names of the alerts that fire, sorted. */
  async firing(): Promise<string[]> {
    const answer = await fetch(`${this.origin}/api/v1/alerts`);
    const { data } = (await answer.json()) as { data: { alerts: readonly ActiveAlert[] } };
    const fire = data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels['alertname'] ?? '');
    return [...new Set(fire)].sort();
  }

  /** How many targets have answered their last scrape. */
  async up(): Promise<number> {
    const answer = await fetch(`${this.origin}/api/v1/query?query=sum(up)`);
    const { data } = (await answer.json()) as { data: { result: readonly { value: readonly [number, string] }[] } };
    return Number(data.result[0]?.value[1] ?? 0);
  }

  async stop(): Promise<void> {
    if (this.server.exitCode === null && this.server.signalCode === null) {
      const ended = once(this.server, 'exit');
      this.server.kill('SIGKILL');
      await ended;
    }
    await rm(this.folder, { recursive: true, force: true });
  }

  private async untilReady(): Promise<void> {
    const deadline = performance.now() + START_TIMEOUT_MS;
    for (;;) {
      const ready = await fetch(`${this.origin}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (ready) return;
      if (this.server.exitCode !== null || performance.now() > deadline) {
        await this.stop();
        throw new Error('Prometheus did not become ready');
      }
      await pause(POLL_MS);
    }
  }
}
