/** A segment that is `.` or `..`, also percent-encoded or set off by a backslash. */
const dotSegment = /[/\\](?:\.|%2e){1,2}(?:[/\\?#]|$)/i;

/** A path whose meaning could change on its way to the service matches no route. */
export const isPlainPath = (url: string): boolean => !dotSegment.test(url) && !url.split('?', 1)[0]?.includes('\\');
