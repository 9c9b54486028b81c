/** @long-run It starts a Kubernetes of one node, assembles seven images and installs them there as the guide says. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { at, listAt, textAt } from '@capability-router/tools-stack';
import { confinementOf } from './cluster/confinement.js';
import { failedStart, refusal, restarted, withWrongPassword } from './cluster/faults.js';
import { guide, Page } from './cluster/guide.js';
import { loadImages } from './cluster/images.js';
import { Installation, NEXT, RELEASE } from './cluster/installation.js';
import { OneNode } from './cluster/one-node.js';
import { nameOf, podsOf, restarts, until, untilNoneEnds, untilRolledOut } from './cluster/pods.js';
import { enforcePolicies } from './cluster/policies.js';
import { reaches } from './cluster/reach.js';
import { kafkaListenerFor, Stores } from './cluster/stores.js';
import { callOnce, type CallOutcome, type LoadAccount } from './load.js';
import { generatedSecrets } from './pods/objects.js';
import { PodStand, type Closers } from './pods/pod-stand.js';
import { secretsOn } from './pods/secrets.js';
import type { Traffic } from './pods/traffic.js';

const LIMIT_MS = 1_500_000;
const MEBIBYTE = 1024 * 1024;
const books = new Page('docs/runbooks/books-differ.md');
const runbooks = new Page('docs/runbooks/README.md');
const rotation = new Page('docs/runbooks/rotate-keys.md');

/** Commands are those of docs/guides/kubernetes.md and of the runbooks, by real kubectl and helm on a real Kubernetes. */
describe('the guide to Kubernetes', () => {
  const closers: Closers = [];
  let node: OneNode;
  let stand: PodStand;
  let stores: Stores;
  let release: Installation;
  let traffic: Traffic;
  let another: LoadAccount;

  beforeAll(async () => {
    node = await OneNode.start(mkdtempSync(join(tmpdir(), 'node-')));
    closers.push(() => node.close());
    const { host } = node.space.network;
    const listener = await kafkaListenerFor(host);
    stand = await PodStand.open(closers, { kafkaListeners: [listener] });
    stores = await Stores.open(stand.stack, host, listener.port);
    closers.push(() => stores.close());
    await loadImages(node.space, stand.images, [RELEASE, NEXT]);
    await node.serveNames();
    await enforcePolicies(node);
    release = new Installation(node, stores);
  }, LIMIT_MS);
  afterAll(async () => {
    for (const close of closers.reverse()) await close();
  }, LIMIT_MS);

  it(
    'makes a namespace of the level restricted, with the Secrets',
    async () => {
      const { commands } = node;
      await commands.run(guide.command('kubectl create namespace'));
      await commands.run(guide.command('kubectl label namespace'));
      await commands.kubectl('label namespace tools pod-security.kubernetes.io/warn=restricted');
      const results = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };
      const secrets = [
        ...secretsOn(stores.seenByPods, await generatedSecrets(stand.images)),
        { kind: 'Secret', metadata: { name: 'capability-router-results' }, stringData: results },
      ].map((secret) => JSON.stringify({ apiVersion: 'v1', ...secret }));
      await commands.run([...guide.command('kubectl -n tools apply -f'), '-'], { input: secrets.join('\n---\n') });
      expect(await commands.run(guide.command('kubectl -n tools get secrets'))).toContain(
        'capability-router-migrations',
      );
    },
    LIMIT_MS,
  );

  it(
    'installs the chart, after its Job, without a warning',
    async () => {
      expect(await release.render()).toContain('kind: Deployment');
      await release.apply();
      const job = await node.commands.object('job/capability-router-prepare');
      expect(listAt(job, 'status.conditions').map((one) => textAt(one, 'type'))).toContain('Complete');
      expect(node.commands.warnings).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'proves it by a call whose charge is found',
    async () => {
      const opened = await stand.openAccounts(release);
      ({ traffic, another } = opened);
      await node.commands.run(guide.command('kubectl -n tools create secret', { '…': opened.key }));
      const said = await node.commands.run(guide.command('helm -n tools test'), { timeoutMs: LIMIT_MS });
      expect(said).toContain('Reconciled: the answer, the audit and the ledger agree.');
    },
    LIMIT_MS,
  );

  it(
    'lets pods reach what the chart says, and nothing else',
    async () => {
      const [real, told] = await reaches(node.commands, node.space.network);
      expect(real).toEqual(told);
    },
    LIMIT_MS,
  );

  it('confines pods as the chart says', async () => {
    expect(await confinementOf(node.commands, 'billing')).toEqual({
      user: 10_001,
      memoryBytes: 512 * MEBIBYTE,
      processors: 2,
      written: { '/app/x': 'EROFS', '/x': 'EROFS', '/tmp/x': 'written' },
      capabilities: '0000000000000000',
      gainsPrivileges: false,
      systemCallsFiltered: true,
      token: false,
    });
  });

  it.each(['deploy/base', 'deploy/s3-results'])('has a server that takes %s without a warning', async (folder) => {
    await node.commands.kubectl(`-n tools apply --dry-run=server -k ${folder}`);
    expect(node.commands.warnings).toEqual([]);
  });

  it(
    'has a pod for operators, in which the doctor finds everything in order',
    async () => {
      const run = (start: string): Promise<string> =>
        node.commands.run(runbooks.command(start), { timeoutMs: LIMIT_MS });
      await run('kubectl -n tools apply -f deploy/operator-pod.yaml');
      await run('kubectl -n tools wait');
      const said = await run('kubectl -n tools exec operator');
      await run('kubectl -n tools delete pod operator');
      // It asks the gateway nothing without a key.
      expect(said).toMatch(/^\d{2} ok, 0 to look at, 0 failed, 1 left out$/m);
      expect(node.commands.warnings).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'replaces all pods of a release under load, and again, and drains a node, and loses no request',
    async () => {
      const { commands } = node;
      await traffic.during(async () => {
        await release.upgrade();
        await untilNoneEnds(commands);
        await commands.run(rotation.command('kubectl -n tools rollout restart'));
        await untilRolledOut(commands);
        await untilNoneEnds(commands);
        const drain = 'drain node --pod-selector app.kubernetes.io/part-of=capability-router --delete-emptydir-data';
        const refused = await refusal(commands.kubectl(`${drain} --timeout=20s`));
        expect(refused).toContain("it would violate the pod's disruption budget");
        await commands.kubectl('uncordon node');
        await untilRolledOut(commands);
        await untilNoneEnds(commands);
      });
      const images = (await podsOf(commands, 'billing')).map((pod) => at(pod, 'spec.containers.0.image'));
      expect(new Set(images)).toEqual(new Set([`registry.your.domain/capability-router-billing:${NEXT}`]));
      expect(await restarts(commands)).toEqual([]);
      await traffic.expectCharged(stand.books, stand.searchBooks);
    },
    LIMIT_MS,
  );

  it(
    'stops execution by the command of the runbook: calls are refused, and served again when it is over',
    async () => {
      const { commands } = node;
      const stop = books.command('kubectl -n tools scale');
      const outcome = (): Promise<CallOutcome> => callOnce(release.origin, another);
      await commands.run(stop);
      await untilNoneEnds(commands);
      await until('calls are refused', async () => (await outcome()).status === 503);
      await commands.run(stop.map((part) => part.replace('--replicas=0', '--replicas=2')));
      await untilRolledOut(commands);
      await until('calls are served', async () => (await outcome()).success === true);
    },
    LIMIT_MS,
  );

  it(
    'hands the number of replicas to an autoscaler and back without ending a pod',
    async () => {
      const { commands } = node;
      const names = async (): Promise<string[]> => (await podsOf(commands, 'identity')).map(nameOf);
      const scaled = ['--set', 'services.identity.autoscaling.enabled=true'];
      const three = [...scaled, '--set', 'services.identity.autoscaling.minReplicas=3'];
      const before = await names();
      await release.apply(...scaled);
      expect(await names()).toEqual(before);
      await release.apply(...three);
      await until('there are three', async () => (await names()).length === 3);
      await untilRolledOut(commands);
      const after = await names();
      await release.apply(...three);
      expect(await names()).toEqual(after);
      expect(await refusal(release.apply())).toContain('.spec.replicas');
      await release.apply('--force-conflicts');
      expect(after).toEqual(expect.arrayContaining(before));
    },
    LIMIT_MS,
  );

  it(
    'says in one sentence what is wrong, and goes on serving',
    async () => {
      const { commands } = node;
      expect(await refusal(release.apply('--set', 'pods.userID=3'))).toContain(
        "additional properties 'userID' not allowed",
      );
      const [billing, wrong] = ['capability-router-billing', 'password authentication failed for user'];
      const failed = await withWrongPassword(commands, billing, 'BILLING_DATABASE_URL', () =>
        failedStart(commands, 'billing'),
      );
      expect(failed).toEqual({
        said: `BILLING_DATABASE_URL: is refused by the server: ${wrong} "billing_app"`,
        ready: 2,
      });
      await restarted(commands, 'billing');
      const owner = 'BILLING_DATABASE_OWNER_URL';
      const said = await withWrongPassword(commands, 'capability-router-migrations', owner, async () => {
        expect(await refusal(release.apply('--set', 'prepare.backoffLimit=0'))).toContain('pre-upgrade hooks failed');
        return commands.run(guide.command('kubectl -n tools logs'));
      });
      expect(said.trimEnd().split('\n').at(-1)).toBe(`  ${owner}: is refused by the server: ${wrong} "billing_owner"`);
      // Helm takes away what the last release names, and this one named less.
      await release.apply();
    },
    LIMIT_MS,
  );

  it(
    'takes the release away, and then what it says is left',
    async () => {
      const { commands } = node;
      await commands.run(guide.command('helm -n tools uninstall'), { timeoutMs: LIMIT_MS });
      const all =
        '-n tools get pods,jobs,services,deployments,configmaps,serviceaccounts,networkpolicies,pdb,hpa -o name';
      const left = async (): Promise<string[]> => (await commands.kubectl(all)).trim().split('\n');
      await untilNoneEnds(commands);
      const hooks = expect.stringMatching(/^(pod|job[.]batch)[/]capability-router-(prepare|test)/);
      const kubernetes = expect.stringMatching(/^(configmap[/]kube-root-ca[.]crt|serviceaccount[/]default)$/);
      for (const one of await left()) expect([hooks, kubernetes]).toContainEqual(one);
      await commands.run(guide.command('kubectl -n tools delete job,pod'), { timeoutMs: LIMIT_MS });
      expect(await left()).toEqual([kubernetes, kubernetes]);
      expect(await commands.run(guide.command('kubectl -n tools get secrets'))).toContain('capability-router-shared');
      await commands.run(guide.command('kubectl delete namespace'), { timeoutMs: LIMIT_MS });
      expect(await refusal(commands.kubectl('get namespace tools'))).toContain('NotFound');
    },
    LIMIT_MS,
  );

  it('leaves books that agree', () => stand.expectAgreement(), LIMIT_MS);
});
