import { describe, expect, it } from '@jest/globals';
import { untilConnected, wrongDatabaseUrl } from './until-connected.js';

const failure = (message: string, code?: string): Error =>
  Object.assign(new Error(message), code === undefined ? {} : { code });

/** The result, the number of tries, and the lines of the log. */
async function tried(failures: readonly Error[], patienceMs = 30_000) {
  const logged: string[] = [];
  let tries = 0;
  const came = await untilConnected(
    () => {
      const next = failures[Math.min(tries, failures.length)];
      tries += 1;
      return next === undefined ? Promise.resolve('connected') : Promise.reject(next);
    },
    { logger: { warn: (_context: unknown, said?: string) => void logged.push(String(said)) }, patienceMs },
  ).catch((error: unknown) => error);
  return { came, tries, logged };
}

describe('a database that is connected to at the start', () => {
  it.each([
    failure('Connection terminated due to connection timeout'),
    failure('timeout exceeded when trying to connect'),
    failure('timeout expired'),
    failure('Connection terminated unexpectedly'),
    failure('connect ECONNREFUSED 127.0.0.1:5432', 'ECONNREFUSED'),
    failure('getaddrinfo EAI_AGAIN db', 'EAI_AGAIN'),
    failure('the database system is starting up', '57P03'),
    failure('sorry, too many clients already', '53300'),
  ])('is tried again after "$message", and one line says so', async (error) => {
    const { came, tries, logged } = await tried([error, error]);
    expect([came, tries, logged]).toEqual(['connected', 3, ['the database cannot be reached yet, and is tried again']]);
  });

  it.each([
    failure('password authentication failed for user "billing"', '28P01'),
    failure('role "billing" is not permitted to log in', '28000'),
    failure('database "billing" does not exist', '3D000'),
    failure('getaddrinfo ENOTFOUND db', 'ENOTFOUND'),
  ])('is not tried again after "$message", which says what is wrong with its URL', async (error) => {
    expect(await tried([error])).toEqual({ came: error, tries: 1, logged: [] });
    expect(wrongDatabaseUrl(error)).toContain(error.message);
  });

  it('is given up with the last failure when the time is up', async () => {
    const refused = failure('connect ECONNREFUSED 127.0.0.1:5432', 'ECONNREFUSED');
    const { came, tries } = await tried(
      Array.from({ length: 1_000 }, () => refused),
      400,
    );
    expect(came).toBe(refused);
    expect(tries).toBeGreaterThan(1);
    expect(wrongDatabaseUrl(refused)).toBeUndefined();
  });
});
