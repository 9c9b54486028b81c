import { describe, expect, it } from '@jest/globals';
import { PathTemplates, templateOfRoute } from './path-templates.js';

describe('templates of paths', () => {
  const templates = new PathTemplates(['/tools/{tool_id}', '/tools/{tool_id}:publish', '/tools/probe', '/a.b/{c}/d']);

  it('are found by a path, the one with the most plain text first', () => {
    expect(templates.fitting('/tools/probe')).toEqual(['/tools/probe', '/tools/{tool_id}']);
    expect(templates.fitting('/tools/x:publish')).toEqual(['/tools/{tool_id}:publish', '/tools/{tool_id}']);
    expect(templates.fitting('/tools/x')).toEqual(['/tools/{tool_id}']);
  });

  it('are not found by a path with more parts, with an empty one, or with another letter in place of a dot', () => {
    for (const path of ['/tools/x/y', '/tools/', '/tools', '/axb/1/d', '/a.b/1/d/']) {
      expect([path, templates.fitting(path)]).toEqual([path, []]);
    }
    expect(templates.fitting('/a.b/1/d')).toEqual(['/a.b/{c}/d']);
  });

  it('are written of the paths of routes', () => {
    expect(templateOfRoute('/tools/:toolId/versions/:from')).toBe('/tools/{toolId}/versions/{from}');
    expect(templateOfRoute('/capabilities::import')).toBe('/capabilities:import');
  });
});
