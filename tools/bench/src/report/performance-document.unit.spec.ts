import { describe, expect, it } from '@jest/globals';
import { withPart } from './performance-document.js';

const part = (name: string, text: string): string => `<!-- begin ${name} -->\n\n${text}\n\n<!-- end ${name} -->`;
const document = `# Performance\n\n${part('holds', 'earlier figures')}\n\n## By hand\n\nkept\n\n${part('search', 'found')}\n`;

describe('a measured part of the document of performance', () => {
  it('replaces the part of its name, and what is written by hand stays', () => {
    expect(withPart(document, 'holds', part('holds', 'new'))).toBe(document.replace('earlier figures', 'new'));
  });

  it('stands behind the nearest part before it where it is new', () => {
    expect(withPart(document, 'start-up', part('start-up', 'fast'))).toBe(
      document.replace(
        part('holds', 'earlier figures'),
        `${part('holds', 'earlier figures')}\n\n${part('start-up', 'fast')}`,
      ),
    );
  });

  it('stands last where none comes before it', () => {
    expect(withPart('# Performance', 'search', part('search', 'found'))).toBe(
      `# Performance\n\n${part('search', 'found')}`,
    );
  });
});
