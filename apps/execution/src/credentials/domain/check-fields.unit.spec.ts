import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from '@jest/globals';
import { credentialFields } from '@capability-router/provider-kit';
import { checkFields, MAX_FIELD_LENGTH } from './check-fields.js';

const kindsOf = (...kinds: (keyof typeof credentialFields)[]) =>
  Object.fromEntries(kinds.map((kind) => [kind, credentialFields[kind]]));
const check = (fields: unknown, kinds = kindsOf('basic', 'bearer')) => checkFields({ fields }, kinds);
const faultsOf = (result: ReturnType<typeof checkFields>): string[] =>
  result.ok ? [] : result.error.map(({ type, loc }) => `${type} ${loc.join('.')}`);

describe('the fields of a credential', () => {
  it.each([
    [{ token: 't' }],
    [{ username: 'u', password: 'p' }],
    [{ username: 'key', password: '' }],
    [{ username: 'u', password: ' p ', token: 't' }],
  ])('%j are taken where they make one way to sign in whole', (fields) => {
    expect(check(fields)).toEqual({ ok: true, value: fields });
  });

  it.each<[string, unknown, string[]]>([
    ['none', {}, ['too_short body.fields']],
    ['half of a pair', { username: 'u' }, ['missing body.fields.password']],
    ['an unknown one', { token: 't', api_key: 'k' }, ['extra_forbidden body.fields.api_key']],
    ['a number', { token: 1 }, ['string_type body.fields.token']],
    ['nothing', { token: '' }, ['string_too_short body.fields.token']],
    ['a line break', { token: 'a\r\nx-admin: 1' }, ['string_pattern_mismatch body.fields.token']],
    ['a NUL', { username: 'u', password: 'a\0' }, ['string_pattern_mismatch body.fields.password']],
    ['letters that no header holds', { token: 'schlüssel' }, ['string_pattern_mismatch body.fields.token']],
    ['a space at the end', { token: 'abc ' }, ['string_pattern_mismatch body.fields.token']],
    ['a colon in a user name', { username: 'a:b', password: '' }, ['string_pattern_mismatch body.fields.username']],
    ['too much', { token: 'x'.repeat(MAX_FIELD_LENGTH + 1) }, ['string_too_long body.fields.token']],
    ['a list', ['t'], ['dict_type body.fields']],
  ])('with %s are refused, naming the field', (_name, fields, faults) => {
    expect(faultsOf(check(fields))).toEqual(faults);
  });

  it('are told which are allowed, and never repeated', () => {
    const unknown = check({ 'sesame-open-1': 'sesame-2', token: 'sesame\n3' });
    expect(unknown).toMatchObject({
      error: [{ msg: 'Unknown field; this provider takes "username", "password", "token"' }, {}],
    });
    expect(JSON.stringify(unknown)).not.toContain('sesame');
    expect(JSON.stringify(checkFields({ 'sesame-4': 1, fields: {} }, kindsOf('bearer')))).not.toContain('sesame');
    expect(faultsOf(checkFields('sesame', kindsOf('bearer')))).toEqual(['dict_type body']);
    expect(faultsOf(checkFields({}, kindsOf('bearer')))).toEqual(['missing body.fields']);
    expect(faultsOf(check({ token: 't' }, {}))).toEqual(['extra_forbidden body.fields.token']);
  });

  it('are told the form that a field of theirs has to have', () => {
    const texts = [
      '',
      ' ',
      'a',
      'a b',
      ' a',
      'a ',
      'a:b',
      ':',
      '~',
      'é',
      'a\n',
      '\0',
      'x'.repeat(MAX_FIELD_LENGTH + 1),
    ];
    for (const name of ['username', 'password', 'token']) {
      const asked = checkFields({ fields: { [name]: 1 } }, { one: [name] });
      const [{ allowed } = {}] = asked.ok ? [] : asked.error;
      const form = new Ajv2020().compile(allowed ?? false);
      const told = texts.map((text) => [text, form(text)]);
      expect({ name, told }).toEqual({
        name,
        told: texts.map((text) => [text, checkFields({ fields: { [name]: text } }, { one: [name] }).ok]),
      });
    }
  });
});
