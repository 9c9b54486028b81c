import { describe, expect, it } from '@jest/globals';
import { UpstreamUnavailable, type ServiceClient, type ServiceResponse } from '../clients/service-client.js';
import { RemainingCredits } from './remaining-credits.js';

const BUDGET_MS = 20;
const answering = (answer: () => Promise<ServiceResponse>): ServiceClient => ({ request: answer });
const response = (status: number, body: string): ServiceResponse => ({ status, headers: {}, body: Buffer.from(body) });
const ask = (answer: () => Promise<ServiceResponse>): Promise<number | undefined> =>
  new RemainingCredits(answering(answer)).ask('acc_1', undefined).within(BUDGET_MS);

describe('remaining credits', () => {
  it('are a number of credits', async () => {
    expect(await ask(async () => response(200, '{"availableMicroCredits":"995500000"}'))).toBe(995.5);
  });

  it('are left out when billing is late', async () => {
    expect(await ask(() => new Promise(() => undefined))).toBeUndefined();
  });

  it('are what has come so far for an answer that does not wait', async () => {
    let answerNow = (_response: ServiceResponse): void => undefined;
    const billing = answering(() => new Promise((resolve) => (answerNow = resolve)));
    const asked = new RemainingCredits(billing).ask('acc_1', undefined);
    expect(asked.soFar()).toBeUndefined();
    answerNow(response(200, '{"availableMicroCredits":"1500000"}'));
    await asked.within(1_000);
    expect(asked.soFar()).toBe(1.5);
  });

  it.each([
    ['is down', () => Promise.reject(new UpstreamUnavailable('billing', false, undefined))],
    ['does not know the account', async () => response(404, '{}')],
    ['answers nonsense', async () => response(200, '<html>')],
  ])('are left out when billing %s', async (_name, answer) => {
    expect(await ask(answer)).toBeUndefined();
  });
});
