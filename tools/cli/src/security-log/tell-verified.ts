import type { Data, GlobalOptions } from '../admin-api.js';
import { shown } from '../table.js';
import { CommandError, exitCodes, type Terminal } from '../terminal.js';

/** @throws CommandError where something was found */
export function tellVerified(
  verified: {
    readonly entries: number;
    readonly findings: readonly Data[];
    /** Further members with `--json`. */
    readonly told?: Data;
    /** Further lines without it. */
    readonly notes?: readonly string[];
  },
  global: GlobalOptions,
  { out }: Terminal,
): void {
  const { entries, findings, told = {}, notes = [] } = verified;
  const sound = findings.length === 0;
  if (global.json === true) out(JSON.stringify({ sound, entries, findings, ...told }));
  else {
    out(`${entries} entries, each hash made anew`);
    for (const note of notes) out(note);
    for (const { kind, chain, entry_seq: seq } of findings) {
      out(`${shown(kind).toUpperCase()}  ${shown(chain)} entry ${shown(seq)}`);
    }
    if (sound) out('sound');
  }
  if (!sound) throw new CommandError(exitCodes.failed, `the security log is not sound: ${findings.length} finding(s)`);
}
