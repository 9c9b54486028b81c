const PART = /\{\w+\}/g;

function patternOf(template: string): RegExp {
  const plain = template.split(PART).map((text) => text.replaceAll(/[.*+?^$|()[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${plain.join('[^/]+')}$`);
}

const plainLength = (template: string): number => template.replaceAll(PART, '').length;

/** As OpenAPI writes the path of a route: of the router `:name` is a part that callers choose, and `::` a colon. */
export const templateOfRoute = (path: string): string =>
  path
    .split('::')
    .map((text) => text.replaceAll(/:([A-Za-z]+)/g, '{$1}'))
    .join(':');

/** Paths as OpenAPI writes them, such as `/tools/{tool_id}`, or all with a method in front: which of them a path of a request is of. */
export class PathTemplates {
  private readonly patterns: readonly (readonly [template: string, pattern: RegExp])[];

  constructor(templates: Iterable<string>) {
    this.patterns = [...templates]
      .sort((one, other) => plainLength(other) - plainLength(one))
      .map((template) => [template, patternOf(template)]);
  }

  /** `path`: without its query. Those that fit it, the one with the most plain text first: it is the one that answers. */
  fitting(path: string): string[] {
    return this.patterns.filter(([, pattern]) => pattern.test(path)).map(([template]) => template);
  }
}
