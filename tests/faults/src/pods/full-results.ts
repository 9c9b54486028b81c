import { expect } from '@jest/globals';
import { Load, type LoadAccount } from '../load.js';

/** A paid tool whose result is larger than the calls ask for. */
const TOOL_ID = 'almanac.holiday.list.v1';
const REQUEST = { parameters: { country_code: 'DE', year: 2026 }, max_response_size: 200 };
/** Milliseconds between two calls. */
const PAUSE_MS = 200;
const TIMEOUT_MS = 60_000;

interface Outcome {
  /** The answer to the call; absent where the connection broke. */
  readonly status?: number;
  /** Path of the link to the whole result; absent where it was not kept. */
  readonly link?: string;
  /** The answer of the link right after the call; absent where there is none, or the connection broke. */
  readonly opened?: number | undefined;
}

/** Calls whose whole results are behind links, one after the other, and each link. */
export class FullResults {
  private readonly load: Load<Outcome>;

  /** `account`: nothing else calls with it. */
  constructor(
    private readonly origin: string,
    account: LoadAccount,
  ) {
    this.load = new Load([origin], [account], PAUSE_MS, callAndOpen);
  }

  /** Runs through all that happens. Throws where a result was not kept, or one link did not lead to it, at once or at the end. */
  async during(happens: () => Promise<void>): Promise<void> {
    this.load.start(1);
    try {
      await happens();
    } finally {
      await this.load.stop();
    }
    const said: string[] = [];
    for (const { status = 'broken', link, opened = 'broken' } of this.load.outcomes) {
      if (link === undefined) said.push(`${status} without a link`);
      else said.push(`${status}, link ${opened}, later ${(await open(this.origin, link)) ?? 'broken'}`);
    }
    expect([...new Set(said)]).toEqual(['200, link 200, later 200']);
  }
}

async function callAndOpen(origin: string, { key }: LoadAccount): Promise<Outcome> {
  try {
    const answer = await fetch(`${origin}/api/v1/tools/execute?tool_id=${TOOL_ID}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(REQUEST),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const { result } = (await answer.json()) as { result?: { full_content_file_url?: string } };
    if (result?.full_content_file_url === undefined) return { status: answer.status };
    // Callers reach this gateway at another address than the one that it is told.
    const link = new URL(result.full_content_file_url).pathname;
    return { status: answer.status, link, opened: await open(origin, link) };
  } catch {
    return {};
  }
}

async function open(origin: string, link: string): Promise<number | undefined> {
  try {
    const answer = await fetch(`${origin}${link}`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return undefined;
  }
}
