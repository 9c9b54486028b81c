/** The URL for the worker out of a list separated by commas; jest counts its workers from 1. */
export function clusterOfWorker(urls: string, workerId = '1'): string {
  const list = urls.split(',');
  const url = list[(Number(workerId) - 1) % list.length];
  if (url === undefined) throw new Error(`"${workerId}" is no number of a worker`);
  return url;
}
