import { describe, expect, it } from '@jest/globals';
import { compiledSpec } from './compiled-spec.js';

describe('compiledSpec', () => {
  it('is below dist what the source is below the package’s src', () => {
    expect(compiledSpec('/src/router/apps/billing/src/holds/a.unit.spec.ts')).toBe(
      '/src/router/apps/billing/dist/holds/a.unit.spec.js',
    );
  });

  it('refuses what the compiler does not build', () => {
    expect(() => compiledSpec('/router/apps/billing/dist/a.spec.js')).toThrow('no TypeScript file below a src folder');
    expect(() => compiledSpec('/router/apps/billing/a.spec.ts')).toThrow('no TypeScript file below a src folder');
  });
});
