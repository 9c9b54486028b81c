/** A case to learn from: its features, the first of them always 1, and whether it is one of those sought. */
export interface Sample {
  readonly features: readonly number[];
  readonly relevant: boolean;
}

/** Steps of Newton's method; it stands still long before. */
const STEPS = 50;
/** Keeps the weights finite where a feature parts the cases without an exception. */
const RIDGE: number = 1e-3;

/** The weights of the logistic function that makes the samples most likely. */
export function fitLogistic(samples: readonly Sample[]): number[] {
  const size = samples[0]?.features.length ?? 0;
  let weights = new Array<number>(size).fill(0);
  for (let step = 0; step < STEPS; step += 1) {
    const gradient = weights.map((weight) => -RIDGE * weight);
    const hessian = weights.map((_, row) => weights.map((__, column) => (row === column ? RIDGE : 0)));
    for (const { features, relevant } of samples) {
      const p = probabilityOf(weights, features);
      features.forEach((value, row) => {
        gradient[row] = (gradient[row] ?? 0) + value * (Number(relevant) - p);
        const line = hessian[row] ?? [];
        features.forEach((other, column) => {
          line[column] = (line[column] ?? 0) + value * other * p * (1 - p);
        });
      });
    }
    const change = solve(hessian, gradient);
    weights = weights.map((weight, at) => weight + (change[at] ?? 0));
  }
  return weights;
}

/** 0 to 1. */
export function probabilityOf(weights: readonly number[], features: readonly number[]): number {
  const sum = features.reduce((total, value, at) => total + value * (weights[at] ?? 0), 0);
  return 1 / (1 + Math.exp(-sum));
}

/** x of matrix · x = values, for a symmetric positive matrix. */
function solve(matrix: readonly (readonly number[])[], values: readonly number[]): number[] {
  const rows = matrix.map((row, at) => [...row, values[at] ?? 0]);
  rows.forEach((pivot, at) => {
    const head = pivot[at] ?? 1;
    rows.forEach((row, other) => {
      if (other === at) return;
      const factor = (row[at] ?? 0) / head;
      pivot.forEach((value, column) => {
        row[column] = (row[column] ?? 0) - factor * value;
      });
    });
  });
  return rows.map((row, at) => (row.at(-1) ?? 0) / (row[at] ?? 1));
}
