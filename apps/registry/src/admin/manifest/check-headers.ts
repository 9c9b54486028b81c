import { isConnectionHeader, isHeaderName, isHeaderValue, isReservedHeader } from '@capability-router/contracts';
import type { HttpBindingDocument } from './documents.js';

type Fault = (path: readonly (string | number)[], msg: string) => void;

/**
 * Headers that constants, parameters and the credential would be put into: those of the connection fail every call, and
 * those of the credential are the credential's alone.
 */
export function checkHeaders({ headers = {}, placements = {}, auth }: HttpBindingDocument, fault: Fault): void {
  for (const [name, value] of Object.entries(headers)) {
    const path = ['binding', 'headers', name];
    checkName(name, isReservedHeader, path, fault);
    if (!isHeaderValue(value)) fault(path, 'A header can hold one line of printable Latin characters');
  }
  for (const [parameter, placement] of Object.entries(placements)) {
    if (placement.in !== 'header') continue;
    checkName(placement.name ?? parameter, isReservedHeader, ['binding', 'placements', parameter], fault);
  }
  if (auth?.kind === 'api_key' && auth.in === 'header') {
    checkName(auth.name, isConnectionHeader, ['binding', 'auth', 'name'], fault);
  }
}

function checkName(name: string, isReserved: (name: string) => boolean, path: readonly string[], fault: Fault): void {
  if (!isHeaderName(name)) fault(path, `"${name}" cannot be the name of a header`);
  else if (isReserved(name)) fault(path, `The header "${name}" is not for a manifest to set; choose another`);
}
