import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findProgram, OperatorError } from '../system/programs.js';
import { stackDirectory } from '../stack-state.js';
import { workspaceRoot } from '../workspace.js';
import { fetchedByMaven, type MavenArtifacts } from './maven.js';

const javaMajorMin = 17;

const broker: MavenArtifacts = {
  name: 'Kafka',
  pom: 'tools/kafka/pom.xml',
  goals: (folder) => ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${folder}`],
  isComplete: (folder) => readdirSync(folder).some((file) => file.startsWith('kafka_')),
  alternative: 'set KAFKA_HOME to an Apache Kafka 4 folder',
};

const connectWorker: MavenArtifacts = {
  name: 'Kafka Connect',
  pom: 'tools/kafka/connect/pom.xml',
  goals: (folder) => ['generate-resources', `-Dfolder=${folder}`],
  isComplete: (folder) => ['libs', 'plugins'].every((part) => existsSync(join(folder, part))),
};

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
  return join(fetchedByMaven(folder, broker), '*');
}

export interface KafkaConnectLibraries {
  readonly classPath: string;
  /** The folder of plugins, with the JDBC sink in it. */
  readonly pluginPath: string;
}

/**
 * A worker of Kafka Connect and its sink, as `tools/kafka/connect/pom.xml` names them, copied once from Maven Central into
 * KAFKA_CONNECT_DIR (default `kafka-connect` in the folder of the stack).
 */
export function kafkaConnectLibraries(): KafkaConnectLibraries {
  const wanted = process.env['KAFKA_CONNECT_DIR'] ?? join(stackDirectory(), 'kafka-connect');
  const folder = fetchedByMaven(resolve(workspaceRoot, wanted), connectWorker);
  return { classPath: join(folder, 'libs', '*'), pluginPath: join(folder, 'plugins') };
}
