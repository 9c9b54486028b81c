import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { findProgram, OperatorError } from '../system/programs.js';
import { workspaceRoot } from '../workspace.js';
import type { Manifest } from './manifests.js';

const answersFile = 'deploy/kube-score.yaml';

/** The oldest version of Kubernetes that the chart takes. */
const kubernetesVersion = 'v1.29';

/** Something that kube-score has against one object. */
export interface Finding {
  /** The rendering that the object is of, such as `chart`. */
  readonly of: string;
  /** Id of a check of kube-score, such as `pod-probes`. */
  readonly check: string;
  /** `Kind/name`. */
  readonly object: string;
  readonly complaint: string;
}

/** Why findings of one check stay. */
export interface Answer {
  readonly check: string;
  /** The rendering that it is about; all of them, where it is not given. */
  readonly of?: string;
  /** The kind of object that it is about; all of them, where it is not given. */
  readonly kind?: string;
  readonly why: string;
}

interface ScoredObject {
  readonly type_meta: { readonly kind: string };
  readonly object_meta: { readonly name: string };
  readonly checks: readonly ScoredCheck[] | null;
}

interface ScoredCheck {
  readonly check: { readonly id: string };
  readonly grade: number;
  readonly skipped: boolean;
  readonly comments: readonly { readonly summary: string }[] | null;
}

/** The grade of a check that has nothing to say. */
const flawless = 10;

/** Everything that kube-score's checks, the optional ones too, have against these objects. */
export function findingsOf(of: string, manifests: readonly Manifest[]): Finding[] {
  const kubeScore = findProgram('kube-score');
  if (kubeScore === undefined) {
    throw new OperatorError(
      'kube-score is not installed; it judges deploy/. Run: go install github.com/zegl/kube-score/cmd/kube-score@v1.20.0',
    );
  }
  const args = [
    'score',
    '--kubernetes-version',
    kubernetesVersion,
    '--all-default-optional',
    '--output-format',
    'json',
  ];
  const input = manifests.map((manifest) => JSON.stringify(manifest)).join('\n---\n');
  // It exits with 1 where it finds something.
  const result = spawnSync(kubeScore, [...args, '-'], { encoding: 'utf8', input, maxBuffer: 64 * 1024 * 1024 });
  if (!result.stdout.startsWith('[')) throw new OperatorError(`kube-score fails:\n${result.stderr}${result.stdout}`);
  return (JSON.parse(result.stdout) as ScoredObject[]).flatMap((object) =>
    (object.checks ?? [])
      .filter((check) => check.grade < flawless && !check.skipped)
      .map((check) => ({
        of,
        check: check.check.id,
        object: `${object.type_meta.kind}/${object.object_meta.name}`,
        complaint: (check.comments ?? []).map(({ summary }) => summary).join('; '),
      })),
  );
}

/** The findings that stay, each with its reason. */
export function readAnswers(): Answer[] {
  return parse(readFileSync(join(workspaceRoot, answersFile), 'utf8')) as Answer[];
}

/** Findings that nobody has answered, and answers that nothing is found for. */
export function judge(findings: readonly Finding[], answers: readonly Answer[]): string[] {
  const open = findings
    .filter((finding) => !answers.some((answer) => isAbout(answer, finding)))
    .map(({ of, object, check, complaint }) => `${of}: ${object}: ${check}: ${complaint}`);
  const idle = answers
    .filter((answer) => !findings.some((finding) => isAbout(answer, finding)))
    .map(
      ({ of, check }) => `${of ?? 'all'}: ${check}: is answered in ${answersFile}, and kube-score no longer finds it`,
    );
  return [...new Set([...open, ...idle])];
}

function isAbout(answer: Answer, finding: Finding): boolean {
  return (
    answer.check === finding.check &&
    (answer.of === undefined || answer.of === finding.of) &&
    (answer.kind === undefined || finding.object.startsWith(`${answer.kind}/`))
  );
}
