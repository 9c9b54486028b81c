import { eventually } from '../support/eventually.js';
import { send, type CallOptions, type Reply } from '../support/http.js';

/** Requests in a row after which every pair of replicas of gateway and service has answered: they take turns. */
const TURNS = 8;

/** Every replica answers like this: what is changed reaches their copies one after the other. It is not recorded. */
export async function everywhere(
  [method, path, options]: readonly [method: string, path: string, options: CallOptions],
  holds: (reply: Reply) => boolean,
): Promise<void> {
  await eventually(async () => {
    for (let turn = 0; turn < TURNS; turn += 1) {
      const reply = await send(method, path, options);
      if (!holds(reply)) throw new Error(`${method} ${path} answered ${reply.status}: ${reply.text.slice(0, 500)}`);
    }
  });
}
