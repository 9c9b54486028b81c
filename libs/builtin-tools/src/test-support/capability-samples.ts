import type { JsonObject } from '@capability-router/kernel';

/** Parameters of each capability that every candidate can serve. */
export const capabilitySamples: Readonly<Record<string, JsonObject>> = {
  'text.detect_language': { text: 'Alle Menschen sind frei und gleich an Würde und Rechten geboren.' },
  'text.markdown_to_html': { markdown: '# Hello\n\n- one\n- two\n' },
  'text.diff': { before: 'a\nb\n', after: 'a\nc\n' },
  'text.slugify': { text: 'Déjà vu: 10 ways' },
  'geo.distance': { from_latitude: 52.52, from_longitude: 13.405, to_latitude: 48.8566, to_longitude: 2.3522 },
  'astronomy.sun_times': { latitude: 31.23, longitude: 121.47, date: '2026-03-20' },
  'time.cron_schedule': { expression: '0 9 * * 1-5', time_zone: 'Asia/Shanghai', after: '2026-01-01T00:00:00Z' },
  'finance.check_iban': { iban: 'FR14 2004 1010 0505 0001 3M02 606' },
  'communication.check_email': { email: 'ada@example.com' },
  'finance.check_card': { card_number: '4111 1111 1111 1111' },
  'math.describe': { numbers: [2, 4, 4, 4, 5, 5, 7, 9] },
  'data.query_json': { document: { a: [{ b: 1 }, { b: 2 }] }, path: '$.a[*].b' },
  'data.yaml_to_json': { yaml: 'a: [1, 2]\n' },
  'crypto.hash': { text: 'abc' },
  'color.convert': { color: '#663399' },
  'image.qr_code': { text: 'https://example.com/' },
};
