import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';

const outputLimitBytes = 64 * 1024 * 1024;

/** The CycloneDX document that npm makes of the lock file in the folder, with nothing in it that differs between two builds. */
export async function billOfMaterials(folder: string, name: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    'npm',
    ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'],
    { cwd: folder, maxBuffer: outputLimitBytes, env: { ...process.env, NODE_ENV: '' } },
  );
  const bom = JSON.parse(stdout) as {
    serialNumber?: string;
    metadata: { timestamp?: string; component: { name: string } };
  };
  delete bom.metadata.timestamp;
  delete bom.serialNumber;
  // npm takes the name of the folder.
  bom.metadata.component.name = name;
  return `${JSON.stringify({ ...bom, serialNumber: `urn:uuid:${uuidOf(JSON.stringify(bom))}` }, null, 1)}\n`;
}

/** A UUID of the content, version 8 of RFC 9562: the same for the same. */
function uuidOf(content: string): string {
  const hex = createHash('sha256').update(content).digest('hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-');
}
