/** Characters; longer names are never compared, because the cost grows with the product of the lengths. */
const MAX_NAME_LENGTH = 60;

/** The known name that a caller most likely meant, if one is close enough to be a slip of the pen. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_NAME_LENGTH) return undefined;
  let best: { name: string; distance: number } | undefined;
  for (const candidate of known) {
    if (candidate.length > MAX_NAME_LENGTH) continue;
    const distance = nameDistance(normalise(name), normalise(candidate));
    if (best === undefined || distance < best.distance) best = { name: candidate, distance };
  }
  if (best === undefined) return undefined;
  return best.distance <= Math.max(1, Math.floor(best.name.length / 3)) ? best.name : undefined;
}

/** `fromUnit`, `from-unit` and `from_unit` are the same name. */
const normalise = (name: string): string => name.toLowerCase().replaceAll(/[-_ ]/g, '');

/** Edits between two names; two neighbours in the wrong order are one slip. */
function nameDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= b.length; column += 1) {
      const substitution = at(row - 1, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const transposition = swapped ? at(row - 2, column - 2) + 1 : substitution;
      current.push(Math.min(substitution, transposition, at(row - 1, column) + 1, at(row, column - 1) + 1));
    }
  }
  return at(a.length, b.length);
}
