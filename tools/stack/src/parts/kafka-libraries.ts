import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findProgram, OperatorError } from '../system/programs.js';
import { workspaceRoot } from '../workspace.js';

const javaMajorMin = 17;
/** The time of one attempt; what was downloaded before stays. */
const mavenTimeoutMs = 240_000;
const mavenAttempts = 3;
/** Milliseconds without a byte; Maven's own limit is half an hour. By the names of Maven 3 and of what followed it. */
const mavenReadTimeouts = ['-Dmaven.wagon.rto=30000', '-Daether.connector.requestTimeout=30000'];

/** The Java program, at least of the version that Kafka 4 needs. */
export function findJava(): string {
  const home = process.env['JAVA_HOME'];
  const java = findProgram('java', home === undefined ? [] : [join(home, 'bin')]);
  const version = java === undefined ? '' : spawnSync(java, ['-version'], { encoding: 'utf8' }).stderr;
  const major = Number(/version "(\d+)/.exec(version)?.[1] ?? 0);
  if (java === undefined || major < javaMajorMin) {
    throw new OperatorError(
      `Kafka needs Java ${javaMajorMin} or newer${major === 0 ? '' : `, found ${major}`}. ` +
        'Run: apt-get install openjdk-17-jre-headless',
    );
  }
  return java;
}

/**
 * The class path of a broker: of KAFKA_HOME, or the jars that `tools/kafka/pom.xml` names, copied once from Maven
 * Central into KAFKA_LIBS_DIR (default `<directory>/kafka-libs`).
 */
export function kafkaClassPath(directory: string): string {
  const home = process.env['KAFKA_HOME'];
  if (home !== undefined && home !== '') {
    const folder = join(home, 'libs');
    if (!existsSync(folder)) throw new OperatorError(`KAFKA_HOME is ${home}, but ${folder} is not there.`);
    return join(folder, '*');
  }
  const folder = resolve(workspaceRoot, process.env['KAFKA_LIBS_DIR'] ?? join(directory, 'kafka-libs'));
  if (!existsSync(folder)) assemble(folder);
  return join(folder, '*');
}

function assemble(folder: string): void {
  const maven = findProgram('mvn');
  if (maven === undefined) {
    throw new OperatorError(
      'Kafka is not here: set KAFKA_HOME to an Apache Kafka 4 folder, or let Maven fetch it: ' +
        'apt-get install maven openjdk-17-jre-headless',
    );
  }
  for (let attempt = 1; ; attempt += 1) {
    const said = fetchInto(folder, maven, attempt);
    if (said === undefined) return;
    if (attempt < mavenAttempts) continue;
    throw new OperatorError(
      `Maven could not fetch Kafka. Check the network, or set KAFKA_HOME to an Apache Kafka 4 folder.\n${said}`,
    );
  }
}

/** @returns what Maven said where it failed */
function fetchInto(folder: string, maven: string, attempt: number): string | undefined {
  // Moved into place when complete, so that a cut-off download is not taken for a broker.
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  const goal = ['-f', join(workspaceRoot, 'tools/kafka/pom.xml'), 'dependency:copy-dependencies'];
  // Maven remembers what it did not get, and asks for it again only where it is told to.
  const again = attempt === 1 ? [] : ['-U'];
  const wanted = ['-DincludeScope=runtime', `-DoutputDirectory=${unfinished}`];
  const result = spawnSync(maven, ['-B', '-q', ...again, ...mavenReadTimeouts, ...goal, ...wanted], {
    encoding: 'utf8',
    timeout: mavenTimeoutMs,
  });
  if (result.status !== 0 || !readdirSync(unfinished).some((file) => file.startsWith('kafka_'))) {
    return `${result.stdout}\n${result.stderr}`.trim() || String(result.error);
  }
  renameSync(unfinished, folder);
  return undefined;
}
