export function table(headers: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(headers), line(headers.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

const GROUP = /\B(?=(\d{3})+(?!\d))/g;
/** A whole number with thousands separated. */
export const whole = (value: number): string => Math.round(value).toString().replace(GROUP, ',');
export const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 0);
const BYTES_PER_MEGABYTE = 1_048_576;
export const megabytes = (bytes: number): string => whole(bytes / BYTES_PER_MEGABYTE);

/** `gateway 81, upstream 40`, in microseconds, largest first; what took next to nothing is left out. */
export const microseconds = (byProcess: Readonly<Record<string, number>>): string =>
  Object.entries(byProcess)
    .filter(([, value]) => value >= 0.5)
    .sort(([, a], [, b]) => b - a)
    .map(([name, value]) => `${name} ${whole(value)}`)
    .join(', ');

/** `met` or `missed`, beside the bar. */
export const judged = (bar: string, met: boolean): string => `${bar}: **${met ? 'met' : 'missed'}**`;
