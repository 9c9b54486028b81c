import { load, YAMLException } from 'js-yaml';

/** Uses of anchors in one document: enough to share a part, too few to multiply one. */
const MAX_ALIASES = 50;
/** Levels of nesting. */
const MAX_DEPTH = 60;

/** One YAML 1.2 document of plain JSON values. What it says of a problem names the place. */
export function parseYaml(text: string): { readonly document: unknown } | { readonly problem: string } {
  try {
    return { document: load(text, { maxAliases: MAX_ALIASES, maxDepth: MAX_DEPTH }) };
  } catch (error) {
    if (!(error instanceof YAMLException)) return { problem: 'The YAML cannot be read' };
    const { reason, mark } = error;
    const place = mark === undefined ? '' : ` in line ${mark.line + 1} of the document`;
    return { problem: `The YAML cannot be read${place}: ${reason}` };
  }
}
