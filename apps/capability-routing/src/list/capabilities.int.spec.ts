/** @postgres-versions The statement normalises texts, unnests arrays and counts beside a page. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppError, systemClock } from '@capability-router/kernel';
import { publishCapabilities } from '../contracts/publish-capabilities.js';
import { saveDeclarations } from '../declared/declared-capabilities.sql.js';
import { sampleCapability } from '../test-support/sample-capability.js';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';
import { CapabilitiesController } from './capabilities.controller.js';

const declaring = (toolId: string, capabilityIds: readonly string[], description: string, version = 1) => ({
  toolId,
  version,
  capabilityIds,
  description: { en: description, zh: `工具 ${toolId}` },
});

describe('GET /capabilities', () => {
  let database: ScratchDatabase;
  let controller: CapabilitiesController;
  const idsOf = async (query: object): Promise<[number, string[]]> => {
    const { total, items } = await controller.list(query, undefined);
    return [total, items.map(({ capability_id: id }) => id)];
  };

  beforeAll(async () => {
    database = await createScratchDatabase();
    controller = new CapabilitiesController(database.pool);
    await publishCapabilities(database.pool, systemClock, [
      sampleCapability(),
      sampleCapability({ capabilityId: 'Zeta.last', name: { en: 'Last of all' }, candidates: [] }),
    ]);
    await saveDeclarations(database.pool, [
      declaring('b.tool.do.v1', ['finance.check_iban', 'geo.distance'], 'Second.'),
      declaring('a.tool.do.v1', ['finance.check_iban'], 'Checks an IBAN.'),
      declaring('c.tool.do.v1', ['geo.gone'], 'Gone.'),
      declaring('d.tool.do.v1', ['odd.100%_sure'], 'Odd.'),
    ]);
    await saveDeclarations(database.pool, [declaring('c.tool.do.v1', [], '')]);
  });
  afterAll(() => database.drop());

  it('lists every id once, by its bytes, with a contract or only declared, and none of a retired tool', async () => {
    const { total, items } = await controller.list({}, undefined);
    expect(total).toBe(4);
    expect(items).toEqual([
      expect.objectContaining({ capability_id: 'Zeta.last', name: 'Last of all', candidate_count: 0 }),
      {
        capability_id: 'finance.check_iban',
        name: 'Check iban',
        description: 'Checks an IBAN.',
        candidate_count: 0,
      },
      {
        capability_id: 'geo.distance',
        name: 'Distance',
        description: 'Distance between two places.',
        contract_version: 1,
        schema_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        candidate_count: 1,
      },
      expect.objectContaining({ capability_id: 'odd.100%_sure', candidate_count: 0 }),
    ]);
  });

  it('speaks the language that is asked for', async () => {
    const { items } = await controller.list({ lang: 'zh' }, 'en');
    expect(items.map(({ name, description }) => [name, description])).toEqual([
      ['Last of all', 'Distance between two places.'],
      ['Check iban', '工具 a.tool.do.v1'],
      ['距离', 'Distance between two places.'],
      ['100% sure', '工具 d.tool.do.v1'],
    ]);
  });

  it.each<[object, number, string[]]>([
    [{ limit: '1', skip: '1' }, 4, ['finance.check_iban']],
    [{ limit: '2', skip: '3' }, 4, ['odd.100%_sure']],
    [{ skip: '1000000' }, 4, []],
    [{ query: 'CHECK iban' }, 1, ['finance.check_iban']],
    [{ query: 'GEO.  between' }, 1, ['geo.distance']],
    [{ query: '距离' }, 1, ['geo.distance']],
    [{ query: 'ｄｉｓｔａｎｃｅ last' }, 1, ['Zeta.last']],
    [{ query: '%' }, 1, ['odd.100%_sure']],
    [{ query: 'no such thing' }, 0, []],
    [{ query: '   ', limit: '1' }, 4, ['Zeta.last']],
    [{ unknown: 'x', limit: '1' }, 4, ['Zeta.last']],
  ])('%j finds %i, of which the page has %j', async (query, total, ids) => {
    expect(await idsOf(query)).toEqual([total, ids]);
  });

  it('finds every letter by its small one', async () => {
    // From the first letter behind ASCII to the last script that has capitals.
    const letters = Array.from({ length: 0x1f000 - 0x80 }, (_, index) => index + 0x80)
      .filter((point) => point < 0xd800 || point > 0xdfff)
      .map((point) => String.fromCodePoint(point))
      .filter((letter) => letter.normalize('NFKC') === letter && letter.toLowerCase() !== letter);
    expect(letters.length).toBeGreaterThan(1_000);
    const named = sampleCapability({ capabilityId: 'named.by_test', name: { en: letters.join('') } });
    await publishCapabilities(database.pool, systemClock, [named]);
    const lost: string[] = [];
    for (const letter of letters) if (!(await idsOf({ query: letter }))[1].includes('named.by_test')) lost.push(letter);
    expect(lost).toEqual([]);
  });

  it.each([
    ['Übersicht der Ämter', 'übersicht ÄMTER'],
    ['Übersicht der Ämter', 'Übersicht'],
    ['ПОИСК по ΟΔΟΣ', 'поиск οδος'],
    ['поиск по οδος', 'ПОИСК ΟΔΟΣ'],
    ['İstanbul', 'İSTANBUL'],
    ['GROẞE STRAßE', 'große straẞe'],
    ['Ｗｉｄｅ Ǆ', 'wide ǆ'],
    ['a.b*c[d]^e$ (f) {1} \\w |-', 'A.B*C[D]^E$ (F) {1} \\W |-'],
  ])('a capability named %j is found by %j', async (name, query) => {
    const named = sampleCapability({ capabilityId: 'named.by_test', name: { en: name } });
    await publishCapabilities(database.pool, systemClock, [named]);
    expect(await idsOf({ query })).toEqual([1, ['named.by_test']]);
    expect(await idsOf({ query: `${query} no-such-thing` })).toEqual([0, []]);
  });

  it.each([{ limit: '0' }, { limit: '101' }, { skip: '-1' }, { lang: 'fr' }, { query: 'a\u0000' }, { limit: 'ten' }])(
    'refuses %j, and names it',
    async (query) => {
      const refusal = await controller.list(query, undefined).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(AppError);
      const [name = ''] = Object.keys(query);
      expect(refusal).toMatchObject({ code: 'validation_error', message: expect.stringContaining(`"${name}"`) });
    },
  );
});
