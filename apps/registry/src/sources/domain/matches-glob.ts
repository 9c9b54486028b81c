/** Does `text` match `pattern`, in which `*` stands for any characters? Letters by any case. At most |pattern| × |text| steps. */
export function matchesGlob(pattern: string, text: string): boolean {
  const wanted = pattern.toLowerCase();
  const given = text.toLowerCase();
  let at = 0;
  let from = 0;
  let star = -1;
  let resume = 0;
  while (at < given.length) {
    if (wanted[from] === '*') {
      star = from;
      resume = at;
      from += 1;
    } else if (from < wanted.length && wanted[from] === given[at]) {
      at += 1;
      from += 1;
    } else if (star !== -1) {
      // The last star takes one character more.
      resume += 1;
      at = resume;
      from = star + 1;
    } else {
      return false;
    }
  }
  while (wanted[from] === '*') from += 1;
  return from === wanted.length;
}

export interface ToolFilter {
  /** Globs, of which one must match; every tool where absent. */
  readonly include?: readonly string[];
  /** Globs, of which none may match. */
  readonly exclude?: readonly string[];
}

/** `subjects`: every name that a tool can be chosen by. */
export function isChosen({ include, exclude = [] }: ToolFilter, subjects: readonly string[]): boolean {
  const anyOf = (patterns: readonly string[]): boolean =>
    patterns.some((pattern) => subjects.some((subject) => matchesGlob(pattern, subject)));
  return (include === undefined || anyOf(include)) && !anyOf(exclude);
}
