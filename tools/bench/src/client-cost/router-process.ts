/** A router without work of its own: answers every request with the answer of a call. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const answer = JSON.stringify({
  execution_id: `exec_${'0'.repeat(32)}`,
  success: true,
  result: { data: { value: 5, text: '5', type: 'number' }, status_code: 200 },
  execution_time: 0.004,
  elapsed_time_ms: 4,
  cost: 0.5,
  remaining_credits: 999.5,
  billing: { summary: '1 call × 0.5 credits = 0.5 credits', list_amount_credits: 0.5 },
});
const headers = {
  'content-type': 'application/json',
  'content-length': Buffer.byteLength(answer),
  'x-request-id': 'req_1',
};

const server = createServer((request, response) => {
  request.resume().once('end', () => response.writeHead(200, headers).end(answer));
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
process.once('SIGTERM', () => process.exit());
