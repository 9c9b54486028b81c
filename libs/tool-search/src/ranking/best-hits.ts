/** Places of the `count` largest scores, best first; equal ones in the order of `before`. */
export function bestPlaces(
  scores: ArrayLike<number>,
  count: number,
  before: (a: number, b: number) => boolean,
): number[] {
  const best: number[] = [];
  const isBefore = (a: number, b: number): boolean => {
    const difference = (scores[a] ?? 0) - (scores[b] ?? 0);
    return difference === 0 ? before(a, b) : difference > 0;
  };
  for (let place = 0; place < scores.length; place += 1) {
    const last = best[count - 1];
    if (last !== undefined && !isBefore(place, last)) continue;
    let low = 0;
    let high = best.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(best[middle] ?? 0, place)) low = middle + 1;
      else high = middle;
    }
    best.splice(low, 0, place);
    if (best.length > count) best.pop();
  }
  return best;
}
