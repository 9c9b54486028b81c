/** @throws Error for any other host: nothing but this machine is ever loaded. */
export function assertLoopback(origin: string): void {
  const { hostname } = new URL(origin);
  if (hostname !== '127.0.0.1') throw new Error(`only the loopback interface is loaded, not ${hostname}`);
}
