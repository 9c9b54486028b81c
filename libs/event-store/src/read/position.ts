/** A place in commit order, `"<txOrder>:<position>"`; '' is the start. Opaque outside this library and the bus. */
export type Position = string;

export const START_POSITION: Position = '';

export function formatPosition(txOrder: string | bigint, position: string | bigint): Position {
  return `${txOrder}:${position}`;
}

/** Throws `RangeError` for what is not a position. */
export function parsePosition(position: Position): { txOrder: bigint; position: bigint } {
  if (position === START_POSITION) return { txOrder: -1n, position: -1n };
  const match = /^(-?\d{1,19}):(-?\d{1,19})$/.exec(position);
  if (match?.[1] === undefined || match[2] === undefined) throw new RangeError(`"${position}" is not a position`);
  return { txOrder: BigInt(match[1]), position: BigInt(match[2]) };
}

/** Negative where `a` comes first. */
export function comparePositions(a: Position, b: Position): number {
  const left = parsePosition(a);
  const right = parsePosition(b);
  if (left.txOrder !== right.txOrder) return left.txOrder < right.txOrder ? -1 : 1;
  if (left.position === right.position) return 0;
  return left.position < right.position ? -1 : 1;
}
