import type { JsonValue } from '@capability-router/kernel';

export const technicalFacts: Readonly<Record<string, JsonValue>> = {
  // The example of ISO 13616 for Germany, and of the United Kingdom.
  'assay.iban.check.v1': {
    valid: true,
    iban: 'DE89370400440532013000',
    formatted: 'DE89 3704 0044 0532 0130 00',
    country_code: 'DE',
    bank_code: '37040044',
    account_number: '0532013000',
    sepa: true,
  },
  'toolbox.iban.check.v1': { is_valid: true, electronic: 'GB82WEST12345698765432', country: 'GB' },
  'assay.email.check.v1': {
    valid: true,
    address: 'ada@mailinator.com',
    name: 'Ada Lovelace',
    disposable: true,
    role_mailbox: false,
  },
  'toolbox.email.check.v1': { well_formed: true, canonical: 'adalovelace@gmail.com', domain: 'gmail.com' },
  'assay.card.check.v1': { valid: true, brand: 'visa', security_code_digits: 3, last_four: '1111' },
  'toolbox.card.check.v1': { passes: true, brand: 'mastercard' },
  'assay.isbn.check.v1': {
    valid: true,
    isbn_13_hyphenated: '978-3-16-148410-0',
    isbn_10: '316148410X',
    group: 'German language',
  },
  'assay.code.check.v1': { kind: 'ean', code: '4006381333931', valid: true },
  'forge.json.query.v1': { rows: ['b'], paths: ["$['orders'][1]['id']"], more: false },
  'toolbox.json.select.v1': { values: ['b'] },
  'forge.regex.match.v1': {
    matches: [
      { text: '2026-01', start: 5, end: 12, groups: ['2026', '01'], named_groups: { year: '2026' } },
      { text: '2027-02', start: 16, end: 23, groups: ['2027', '02'], named_groups: { year: '2027' } },
    ],
    more: false,
  },
  // FIPS 202 and RFC 1321.
  'forge.hash.digest.v1': { hex: '3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532', hmac: false },
  'toolbox.hash.digest.v1': { checksum: '900150983cd24fb0d6963f7d28e17f72' },
  // rebeccapurple of CSS Color 4.
  'forge.color.convert.v1': {
    hex: '#663399',
    rgb: { r: 102, g: 51, b: 153 },
    hsl: { h: 270, s: 50, l: 40 },
    oklch: { l: 0.4403, c: 0.1603, h: 303.37 },
    contrast_ratio: 8.41,
    readable_as_text: true,
  },
  'toolbox.color.convert.v1': { hex: '#663399', hsl: { h: 270, s: 50, l: 40 }, dark: true, inverse: '#99cc66' },
  'forge.xml.to_json.v1': { value: { order: { '@id': '7', item: ['tea & milk', 'bread'], total: 12.5 } } },
  'forge.json.to_xml.v1': {
    xml: '<?xml version="1.0" encoding="UTF-8"?>\n<order id="7">\n  <item>tea &amp; milk</item>\n  <item>bread</item>\n</order>\n',
  },
  // YAML 1.2 has no "yes" for true.
  'forge.yaml.to_json.v1': { value: { name: 'web', ports: [80, 443], enabled: 'yes' }, further_documents: [] },
  'toolbox.yaml.load.v1': { content: { name: 'web', ports: [80, 443] } },
  'forge.json.to_yaml.v1': { yaml: 'name: web\nports:\n  - 80\n  - 443\nnote: "yes"\n' },
  'forge.text.encode.v1': { text: '5Lu35qC8IDUwIOKCrA==' },
  'forge.id.generate.v1': { kind: 'uuid_v7' },
  'forge.version.compare.v1': {
    sorted: ['1.9.3', '1.10.0', '2.0.0-rc.1'],
    newest: '2.0.0-rc.1',
    satisfying: ['1.9.3', '1.10.0'],
    newest_satisfying: '1.10.0',
  },
  'forge.url.parse.v1': {
    scheme: 'https',
    host: 'shop.example.co.uk',
    port: 8443,
    query: [
      { name: 'q', value: 'tea' },
      { name: 'page', value: '2' },
    ],
    registrable_domain: 'example.co.uk',
    public_suffix: 'co.uk',
    subdomain: 'shop',
  },
  'forge.network.inspect.v1': {
    range: 'private',
    netmask: '255.255.252.0',
    first_address: '10.1.0.0',
    last_address: '10.1.3.255',
    address_count: '1024',
  },
  'forge.jwt.decode.v1': {
    header: { alg: 'HS256', typ: 'JWT' },
    claims: { sub: '1234567890', name: 'John Doe' },
    issued_at: '2018-01-18T01:30:22.000Z',
    signature_checked: false,
  },
  'forge.barcode.draw.v1': { media_type: 'image/svg+xml', kind: 'ean13' },
};
