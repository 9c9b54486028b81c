import { describe, expect, it } from '@jest/globals';
import { withFeedback } from './feedback-gain.js';

const document = (toolId: string) => ({
  toolId,
  name: [toolId],
  description: [],
  provider: [],
  category: [],
  params: [],
});
const query = (text: string, ...relevant: string[]) => ({ text, lang: 'en', source: 's', relevant });

describe('feedback of a log', () => {
  it('gives a tool the telling and common words of the queries that it serves, and others nothing', () => {
    const [rain, sun] = withFeedback(
      [document('rain'), document('sun')],
      [query('Will I need umbrellas in Xanadu?', 'rain'), query('umbrella 雨伞', 'rain', 'gone')],
      (term) => term !== 'xanadu',
    );
    expect(rain?.feedback).toEqual([
      { term: 'umbrella', weight: 10 },
      { term: '雨伞', weight: 5 },
    ]);
    expect(sun).toEqual(document('sun'));
  });
});
