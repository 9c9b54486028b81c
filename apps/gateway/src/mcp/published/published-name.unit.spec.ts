import { describe, expect, it } from '@jest/globals';
import { publishedName } from './published-name.js';

describe('the name of a published tool', () => {
  it.each([
    ['almanac.holiday.list.v1', 'almanac_holiday_list_v1'],
    ['toolbox.csv.to_json.v1', 'toolbox_csv_to-json_v1'],
    ['a-b.c.d_e.v12', 'aDb_c_d-e_v12'],
  ])('of %s is %s', (toolId, name) => {
    expect(publishedName(toolId)).toBe(name);
  });

  it('has the characters and the length that every host takes', () => {
    const long = `a.${'b'.repeat(90)}.c-d.e_f.v1`;
    expect(publishedName(long)).toMatch(/^[A-Za-z0-9_-]{64}$/);
    expect(publishedName(`a.${'b'.repeat(91)}.c-d.e_f.v1`)).not.toBe(publishedName(long));
  });

  it('is of one tool alone, also where ids differ only by what separates their parts', () => {
    const parts = ['.', '_', '-', '._', '_.', '-.', '.-', '__', '--', '_-', '-_'];
    const ids = parts.flatMap((one) => parts.map((other) => `a${one}b${other}c.d.e.v1`));
    expect(new Set(ids.map(publishedName)).size).toBe(ids.length);
  });
});
