/** A segment that is `.` or `..`, also percent-encoded or set off by a backslash. */
const dotSegment = /[/\\](?:\.|%2e){1,2}(?:[/\\?#]|$)/i;

/** A path whose meaning could change on its way to the service matches no route. Its query may hold anything. */
export function isPlainPath(url: string): boolean {
  const [path = ''] = url.split('?', 1);
  return !dotSegment.test(path) && !path.includes('\\');
}
