import type { ValidationDetail } from '@capability-router/contracts';

export type NextAction = 'execute' | 'inspect' | 'probe' | 'authorize' | 'confirm_budget' | 'switch_provider' | 'retry';

/** Says what a caller should do with the findings of a probe. */
export interface Recovery {
  /** Dotted paths of parameters that have to be given. */
  readonly missing_fields: readonly string[];
  /** Sentences: what can be changed without changing what is asked for. */
  readonly safe_fixes: readonly string[];
  /** May the same parameters be accepted later? What a probe finds does not pass by itself. */
  readonly retryable: boolean;
  readonly next_action: NextAction;
  /** Another tool of the same capability could serve. */
  readonly provider_fallback: boolean;
}

/** Entries of each list; the rest of the faults is in `violations`. */
const MAX_ENTRIES = 20;

export function recoveryOf(found: {
  readonly violations: readonly ValidationDetail[];
  /** May the account call the tool at all? */
  readonly callable: boolean;
  /** Has the account what the call may cost, as far as that is known? */
  readonly affordable: boolean;
  readonly hasAlternative: boolean;
}): Recovery {
  const { violations, hasAlternative } = found;
  const missing = violations.filter(({ type }) => type === 'missing').map(pathOf);
  const fixes = violations.map(safeFixOf).filter((fix) => fix !== undefined);
  return {
    missing_fields: missing.slice(0, MAX_ENTRIES),
    safe_fixes: fixes.slice(0, MAX_ENTRIES),
    retryable: false,
    next_action: nextActionOf(found, fixes.length),
    provider_fallback: hasAlternative,
  };
}

function nextActionOf(
  { violations, callable, affordable }: Parameters<typeof recoveryOf>[0],
  fixes: number,
): NextAction {
  if (!callable) return 'switch_provider';
  // A caller mends what it can without the schema, and probes again.
  if (violations.length > 0) return fixes === violations.length ? 'probe' : 'inspect';
  return affordable ? 'execute' : 'confirm_budget';
}

/** The location of a detail begins with `body`, `parameters`. */
const pathOf = ({ loc }: ValidationDetail): string => loc.slice(2).join('.');

function safeFixOf(detail: ValidationDetail): string | undefined {
  const path = pathOf(detail);
  const { type, input, msg } = detail;
  if (type === 'extra_forbidden') {
    const nearest = /did you mean "([^"]+)"\?$/.exec(msg)?.[1];
    return nearest === undefined ? `Leave out "${path}".` : `Send "${path}" under its name, "${nearest}".`;
  }
  if ((type === 'int_type' || type === 'float_type') && isNumeric(input, type === 'int_type')) {
    return `Send "${path}" as the number ${String(input).trim()}, without quotes.`;
  }
  if (type === 'bool_type' && (input === 'true' || input === 'false')) {
    return `Send "${path}" as ${input}, without quotes.`;
  }
  if (type === 'string_type' && (typeof input === 'number' || typeof input === 'boolean')) {
    return `Send "${path}" as the text "${String(input)}", with quotes.`;
  }
  return undefined;
}

const isNumeric = (input: unknown, whole: boolean): boolean =>
  typeof input === 'string' && (whole ? /^\s*-?\d{1,15}\s*$/ : /^\s*-?\d{1,15}(\.\d{1,15})?\s*$/).test(input);
