import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Container, Mount } from './container.js';

/** Folders of this machine; each is made by whoever names it. */
export interface Places {
  /** Where the root is put together: an empty folder. Every process has its own view of it. */
  readonly root: string;
  /** `/app` of the image. */
  readonly image: string;
  /** `/etc` of all pods: names. */
  readonly etc: string;
  /** Where files of volumes are kept. */
  readonly volumes: string;
}

/** Bits that a volume gets for the group of pods. */
const GROUP_FOLDER_MODE = 0o2770;
const GROUP_FILE_MODE = 0o660;
const devices = ['null', 'zero', 'random', 'urandom'];
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * The command that runs the container from its image's root file system and nothing else, with its user and its volumes. In place of
 * the base image are `/usr` of this machine, without `/usr/local`, and this Node. It stays one process, which gets its signals, and ends
 * with whoever started it.
 */
export function commandIn(places: Places, pod: string, container: Container): readonly [string, ...string[]] {
  const { root, image, etc } = places;
  const { user, group, volumeGroup, command } = container;
  const script = [
    'set -eu',
    `mount -t tmpfs -o mode=755,size=1m root ${quoted(root)}`,
    `cd ${quoted(root)}`,
    'mkdir app dev etc proc usr',
    // As in Debian, whose programs and libraries are all below /usr.
    'for one in bin lib lib64 sbin; do ln -s usr/$one $one; done',
    'mount --bind -o ro /usr usr',
    'mount -t tmpfs -o mode=755,size=1m local usr/local',
    'mkdir usr/local/bin',
    'touch usr/local/bin/node',
    `mount --bind -o ro ${quoted(process.execPath)} usr/local/bin/node`,
    `mount --bind -o ro ${quoted(image)} app`,
    `mount --bind -o ro ${quoted(etc)} etc`,
    'mount --rbind /proc proc',
    ...devices.map((name) => `touch dev/${name}; mount --bind /dev/${name} dev/${name}`),
    ...container.mounts.flatMap((mount) => mounted(mount, places, pod, container)),
    ...(container.readOnlyRoot ? [`mount -o remount,ro ${quoted(root)}`] : []),
    [
      `exec env -u PWD -u OLDPWD unshare --root=${quoted(root)} --wd=/app setpriv --pdeathsig KILL`,
      `--reuid=${user} --regid=${group} --groups=${volumeGroup}`,
      ...(container.gainsPrivileges ? [] : ['--no-new-privs']),
      ...(container.dropsCapabilities ? ['--inh-caps=-all --bounding-set=-all'] : []),
      ...command.map(quoted),
    ].join(' '),
  ];
  return ['unshare', '--mount', 'sh', '-c', script.join('\n')];
}

function mounted(mount: Mount, { volumes }: Places, pod: string, { volumeGroup }: Container): string[] {
  const at = quoted(mount.path.slice(1));
  if (mount.kind === 'empty') {
    const options = `mode=2777,gid=${volumeGroup}${mount.size === '' ? '' : `,size=${mount.size}`}`;
    return [`mkdir -p ${at}`, `mount -t tmpfs -o ${options} empty ${at}`];
  }
  const name = mount.kind === 'files' ? `${pod}${mount.path.replaceAll('/', '-')}` : mount.claim;
  const folder = join(volumes, name);
  mkdirSync(folder, { recursive: true });
  if (mount.kind === 'files') {
    for (const [file, content] of Object.entries(mount.files)) writeFileSync(join(folder, file), content);
  } else giveToGroup(folder, volumeGroup);
  // `/etc` is that of all pods: it holds the folders that are mounted over.
  const target = mount.path.startsWith('/etc/') ? [] : [`mkdir -p ${at}`];
  return [...target, `mount --bind${mount.kind === 'files' ? ' -o ro' : ''} ${quoted(folder)} ${at}`];
}

/** As the kubelet does with `fsGroup` and `OnRootMismatch`: files keep their owner, and all that is there when a pod is the first of a group to mount it is opened to that group. */
function giveToGroup(path: string, group: number): void {
  const { gid, mode } = statSync(path);
  if (gid === group && (mode & GROUP_FOLDER_MODE) === GROUP_FOLDER_MODE) return;
  for (const one of readdirSync(path, { recursive: true, encoding: 'utf8' })) open(join(path, one), group);
  open(path, group);
}

function open(path: string, group: number): void {
  const one = statSync(path, { throwIfNoEntry: false });
  // A pod that runs may have renamed it meanwhile.
  if (one === undefined) return;
  chownSync(path, one.uid, group);
  chmodSync(path, one.mode | (one.isDirectory() ? GROUP_FOLDER_MODE : GROUP_FILE_MODE));
}
