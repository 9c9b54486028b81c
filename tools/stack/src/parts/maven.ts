import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram, OperatorError } from '../system/programs.js';
import { workspaceRoot } from '../workspace.js';

/** The time of one attempt; what was downloaded before stays. */
const timeoutMs = 240_000;
const attempts = 3;
/** Milliseconds without a byte; Maven's own limit is half an hour. By the names of Maven 3 and of what followed it. */
const readTimeouts = ['-Dmaven.wagon.rto=30000', '-Daether.connector.requestTimeout=30000'];

export interface MavenArtifacts {
  /** Names it for people: `Kafka`. */
  readonly name: string;
  /** Path of the pom below the repository. */
  readonly pom: string;
  /** Goals and settings that copy what the pom names into a folder. */
  readonly goals: (folder: string) => readonly string[];
  /** Is everything in the folder? */
  readonly isComplete: (folder: string) => boolean;
  /** Another way to have it, as a command to the operator; absent where there is none. */
  readonly alternative?: string;
}

/** Fills the folder with what a pom names, out of Maven Central, where it is not there yet. */
export function fetchedByMaven(folder: string, artifacts: MavenArtifacts): string {
  if (existsSync(folder)) return folder;
  const { name, alternative } = artifacts;
  const maven = findProgram('mvn');
  if (maven === undefined) {
    const ways = [alternative, 'let Maven fetch it: apt-get install maven openjdk-17-jre-headless'];
    throw new OperatorError(`${name} is not here: ${ways.filter((way) => way !== undefined).join(', or ')}`);
  }
  for (let attempt = 1; ; attempt += 1) {
    const said = fetchInto(folder, maven, artifacts, attempt);
    if (said === undefined) return folder;
    if (attempt < attempts) continue;
    const ways = ['Check the network', alternative].filter((way) => way !== undefined).join(', or ');
    throw new OperatorError(`Maven could not fetch ${name}. ${ways}.\n${said}`);
  }
}

/** @returns what Maven said where it failed */
function fetchInto(folder: string, maven: string, artifacts: MavenArtifacts, attempt: number): string | undefined {
  // Moved into place when complete, so that a cut-off download is not taken for the whole.
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  // Maven remembers what it did not get, and asks for it again only where it is told to.
  const again = attempt === 1 ? [] : ['-U'];
  // A file whose checksum differs from the one that Maven Central gives fails the fetch, and is not warned of only.
  const options = ['-B', '-q', '--strict-checksums', ...again, ...readTimeouts];
  const wanted = ['-f', join(workspaceRoot, artifacts.pom), ...artifacts.goals(unfinished)];
  const result = spawnSync(maven, [...options, ...wanted], { encoding: 'utf8', timeout: timeoutMs });
  if (result.status !== 0 || !artifacts.isComplete(unfinished)) {
    return `${result.stdout}\n${result.stderr}`.trim() || String(result.error);
  }
  renameSync(unfinished, folder);
  return undefined;
}
