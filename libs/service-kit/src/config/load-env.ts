import { creditsFromMicro, formatCredits } from '@capability-router/kernel';
import {
  customCleanEnv,
  EnvMissingError,
  type CleanedEnv,
  type OptionalValidatorSpec,
  type RequiredValidatorSpec,
  type ValidatorSpec,
} from 'envalid';

export type EnvSpec = Readonly<Record<string, ValidatorSpec<unknown>>>;

/** The validated values of a spec, without envalid's accessors. */
export type EnvValues<S extends EnvSpec> = {
  readonly [K in keyof S]: S[K] extends OptionalValidatorSpec<infer T>
    ? T | undefined
    : S[K] extends RequiredValidatorSpec<infer T>
      ? T
      : never;
};

/** The environment is not usable; the message names every variable at fault. */
export class ConfigError extends Error {
  constructor(readonly problems: Readonly<Record<string, string>>) {
    const lines = Object.entries(problems).map(([name, problem]) => `  ${name}: ${problem}`);
    super(`The configuration is invalid:\n${lines.join('\n')}`);
    this.name = 'ConfigError';
  }
}

/**
 * Reads and validates the variables that `spec` names. An empty value counts as absent, since that is what an unset
 * variable of a compose file or a manifest becomes. Throws `ConfigError`.
 */
export function loadEnv<S extends EnvSpec>(spec: S, env: NodeJS.ProcessEnv): EnvValues<S> {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  // NODE_ENV must never change a default: what is tested is what runs.
  delete present['NODE_ENV'];
  const cleaned = customCleanEnv(present, spec, (values: CleanedEnv<S>) => ({ ...(values as object) }), {
    reporter: ({ errors }) => {
      const problems: Record<string, string> = {};
      for (const [name, error] of Object.entries(errors)) {
        if (!(error instanceof Error)) continue;
        problems[name] = error instanceof EnvMissingError ? `is missing: ${error.message}` : error.message;
      }
      if (Object.keys(problems).length > 0) throw new ConfigError(problems);
    },
  });
  return cleaned as EnvValues<S>;
}

/** One line of `docs/configuration.md`. */
export interface ConfigVariable {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** As it would be written in the environment; absent where there is none. */
  readonly defaultValue?: string;
  readonly example?: string;
}

/** Lists what a spec says about its variables, for the generated documentation. */
export function describeEnv(spec: EnvSpec): ConfigVariable[] {
  return Object.entries(spec).map(([name, variable]) => {
    const hasDefault = 'default' in variable;
    const value: unknown = variable.default;
    return {
      name,
      description: variable.desc ?? '',
      required: !hasDefault,
      ...(value === undefined ? {} : { defaultValue: asWritten(value) }),
      ...(variable.example === undefined ? {} : { example: variable.example }),
    };
  });
}

/** A value as one would write it in the environment; the only `bigint` there is an amount of credits. */
function asWritten(value: unknown): string {
  if (typeof value === 'bigint') return formatCredits(creditsFromMicro(value));
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
