/**
 * Loaded into a replica before its own code: SIGUSR2 sets the clock that the process sees wrong by `CLOCK_SKEW_MS`, and
 * the next one right again. As on a machine, the clock that never steps (`performance.now`) and timers do not notice.
 */
const skewMs = Number(process.env['CLOCK_SKEW_MS'] ?? 0);
const machine = Date;
const machineNow = Date.now.bind(Date);
let offMs = 0;

process.on('SIGUSR2', () => {
  offMs = offMs === 0 ? skewMs : 0;
});
const now = (): number => machineNow() + offMs;
globalThis.Date = new Proxy(machine, {
  construct: (target, given: unknown[], made) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, made) as Date,
  apply: () => new machine(now()).toString(),
  get: (target, key) => (key === 'now' ? now : (Reflect.get(target, key) as unknown)),
});
