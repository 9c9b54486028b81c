import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@capability-router/kernel';
import { runTool } from '../../test-support/run-tool.js';
import { ToolInputError } from '../../tool/tool-input-error.js';

describe('an IBAN', () => {
  it.each([
    ['DE88370400440532013000', ['wrong_check_digits']],
    ['DE8937040044053201300', ['wrong_length', 'wrong_format', 'wrong_check_digits']],
    ['XX00 1234', ['unknown_country']],
  ])('%s is wrong by both tools, and one says why', async (iban, errors) => {
    expect(await runTool('assay.iban.check.v1', { iban })).toEqual({ valid: false, errors });
    expect(await runTool('toolbox.iban.check.v1', { account: iban })).toEqual({ is_valid: false });
  });

  it.each(['FR14 2004 1010 0505 0001 3M02 606', 'NO93 8601 1117 947', 'CH93 0076 2011 6238 5295 7'])(
    '%s is right by both tools',
    async (iban) => {
      expect(await runTool('assay.iban.check.v1', { iban })).toMatchObject({ valid: true });
      expect(await runTool('toolbox.iban.check.v1', { account: iban })).toMatchObject({ is_valid: true });
    },
  );
});

describe('an e-mail address', () => {
  const check = (email: string) => runTool('assay.email.check.v1', { email });

  it.each<[string, JsonObject]>([
    ['support@EXAMPLE.com', { valid: true, address: 'support@example.com', role_mailbox: true, disposable: false }],
    ['"a b"@example.org', { valid: true, domain: 'example.org' }],
    ['用户@例子.中国', { valid: true }],
    ['x@mail.mailinator.com', { valid: true, disposable: true, registrable_domain: 'mailinator.com' }],
    ['a@b', { valid: false, reason: 'unknown_domain_suffix' }],
    ['a@example.notatld', { valid: false, reason: 'unknown_domain_suffix' }],
    ['a b@example.com', { valid: false, reason: 'wrong_syntax' }],
    ['@example.com', { valid: false, reason: 'wrong_syntax' }],
    [`${'a'.repeat(65)}@example.com`, { valid: false, reason: 'too_long' }],
  ])('%s: %j', async (email, expected) => {
    expect(await check(email)).toMatchObject(expected);
  });

  it('has one canonical form for one mailbox', async () => {
    const canonical = (address: string) => runTool('toolbox.email.check.v1', { address });
    expect(await canonical('ada.lovelace@googlemail.com')).toMatchObject({ canonical: 'adalovelace@gmail.com' });
    expect(await canonical('not an address')).toEqual({ well_formed: false });
  });
});

describe('a card number', () => {
  it.each<[string, JsonObject]>([
    ['378282246310005', { valid: true, brand: 'american-express', security_code_digits: 4, last_four: '0005' }],
    ['4111 1111 1111 1112', { valid: false, brand: 'visa', incomplete: false, last_four: null }],
    ['4111 1111', { valid: false, brand: 'visa', incomplete: true }],
    ['hello', { valid: false, brand: null }],
  ])('%s: %j', async (card_number, expected) => {
    expect(await runTool('assay.card.check.v1', { card_number })).toMatchObject(expected);
  });

  it('is never given back whole', async () => {
    const answer = await runTool('assay.card.check.v1', { card_number: '4111111111111111' });
    expect(JSON.stringify(answer)).not.toContain('411111');
  });

  it('with a wrong check digit does not pass', async () => {
    expect(await runTool('toolbox.card.check.v1', { number: '5555 5555 5555 4445' })).toEqual({
      passes: false,
      brand: null,
    });
  });
});

describe('an ISBN', () => {
  it('that is wrong comes with a suggestion', async () => {
    expect(await runTool('assay.isbn.check.v1', { isbn: '9783161484101' })).toMatchObject({
      valid: false,
      suggestions: [{ isbn_13: '978-3-16-148410-0' }],
    });
  });

  it('of the prefix 979 has no form of ten digits', async () => {
    expect(await runTool('assay.isbn.check.v1', { isbn: '979-10-90636-07-1' })).toMatchObject({
      valid: true,
      isbn_10: null,
      group: 'France',
    });
  });
});

describe('a code', () => {
  it.each([
    ['ean', '4006381333931', '4006381333930'],
    ['issn', '0378-5955', '0378-5954'],
    ['isin', 'US0378331005', 'US0378331004'],
    ['imei', '490154203237518', '490154203237517'],
    ['bic', 'DEUTDEFF500', 'DEUT12FF'],
    ['vat', 'DE136695976', 'DE13669597'],
    ['luhn', '79927398713', '79927398710'],
  ])('%s %s is right and %s is wrong', async (kind, right, wrong) => {
    expect(await runTool('assay.code.check.v1', { kind, code: right })).toMatchObject({ valid: true });
    expect(await runTool('assay.code.check.v1', { kind, code: wrong })).toMatchObject({ valid: false });
  });

  it('of a country without a rule is refused', async () => {
    const parameters = { kind: 'vat', code: '123', country_code: 'ZZ' };
    await expect(runTool('assay.code.check.v1', parameters)).rejects.toThrow(ToolInputError);
  });
});
