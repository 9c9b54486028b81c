import { oauthScopes, type OAuthScope } from '@capability-router/contracts';
import { creditsFromNumber, isAccountId, isJsonObject, ZERO_CREDITS, type Credits } from '@capability-router/kernel';
import { ConfigError, type EnvValues } from './load-env.js';
import { flag, jsonObject } from './validators.js';

const SETTING = 'EXTERNAL_ISSUERS';
/** Each keeps its keys in memory, and each is one more to trust. */
const MAX_ISSUERS = 20;
/** Characters of an address, of an audience, and of the name of a claim. */
const MAX_TEXT_LENGTH = 500;
/** Audiences, types and mapped values, of each. */
const MAX_ENTRIES = 100;
/** Objects that a path to a claim leads through. */
const MAX_PATH_LENGTH = 5;
const MAX_CLOCK_SKEW_SECONDS = 120;
const DEFAULT_CLOCK_SKEW_SECONDS = 30;
const MIN_LIFE_SECONDS = 60;
const MAX_LIFE_SECONDS = 604_800;
const DEFAULT_LIFE_SECONDS = 86_400;
const MAX_WELCOME_CREDITS = 1_000_000_000;
const MAX_PER_DAY = 100_000;
const DEFAULT_PER_DAY = 100;
const namePattern = /^[a-z][a-z0-9-]{0,39}$/;

/** Each by a pair of keys: with a shared secret, whoever verifies could sign as well. */
export const externalAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
] as const;
export type ExternalAlgorithm = (typeof externalAlgorithms)[number];

/** Where a claim stands in the payload: the names of the objects around it, and its own. */
export type ClaimPath = readonly string[];

/** Somebody else's sign-in whose tokens are taken like ours. */
export interface ExternalIssuer {
  /** By which operators know it. */
  readonly name: string;
  /** Exactly as tokens have it. */
  readonly iss: string;
  readonly jwksUrl: string;
  /** A token names one of them; none: it names the resource of this deployment. */
  readonly audiences: readonly string[];
  readonly algorithms: readonly ExternalAlgorithm[];
  /** Values of the header `typ`, in lower case and without `application/`; `''`: it may be absent. */
  readonly types: readonly string[];
  readonly clockSkewSeconds: number;
  /** From `iat` to `exp`. */
  readonly maxLifeSeconds: number;
  readonly subjectClaim: ClaimPath;
  readonly scopesClaim: ClaimPath;
  /** The scopes that values of that claim stand for; absent: for the scopes of the same names. */
  readonly scopeMap?: ReadonlyMap<string, readonly OAuthScope[]>;
  /** The scopes of a token without that claim. */
  readonly defaultScopes: readonly OAuthScope[];
  /** The most that a token of the issuer can have. */
  readonly maxScopes: readonly OAuthScope[];
  /** The account for which every token of the issuer acts. */
  readonly accountId?: string;
  /** Each subject gets an account of its own with its first token. */
  readonly openAccounts?: OpenAccounts;
}

export interface OpenAccounts {
  /** The rate-limit plan; absent: the one of formal accounts. */
  readonly plan?: string;
  readonly welcomeCredits: Credits;
  /** Accounts in a UTC day. */
  readonly perDay: number;
}

export const externalIssuersEnvSpec = {
  EXTERNAL_ISSUERS: jsonObject({
    desc: 'Sign-ins of others whose JWTs are taken like access tokens, as JSON by name: `iss` and `jwks_url`, and where needed what docs/guides/identity.md lists. The same for identity, which verifies, and for the gateway, which names them in its metadata.',
    default: undefined,
    example: '{"acme":{"iss":"https://login.acme.example","jwks_url":"https://login.acme.example/keys"}}',
  }),
  EXTERNAL_ISSUERS_LOOPBACK_HTTP: flag({
    desc: 'Addresses in EXTERNAL_ISSUERS may begin with http:// where their host is this machine (127.0.0.1, [::1], localhost): to try an issuer out.',
    default: false,
  }),
};

/** Throws `ConfigError`, whose one sentence names the issuer and the member at fault. */
export function externalIssuersOf(values: EnvValues<typeof externalIssuersEnvSpec>): readonly ExternalIssuer[] {
  const entries = Object.entries(values.EXTERNAL_ISSUERS ?? {});
  if (entries.length > MAX_ISSUERS) throw refused(`must name at most ${MAX_ISSUERS} issuers, names ${entries.length}`);
  const issuers = entries.map(([name, value]) => readIssuer(name, value, values.EXTERNAL_ISSUERS_LOOPBACK_HTTP));
  const seen = new Map<string, string>();
  for (const { name, iss } of issuers) {
    const other = seen.get(iss);
    if (other !== undefined) throw refused(`has the same "iss" for "${other}" and "${name}"`);
    seen.set(iss, name);
  }
  return issuers;
}

const refused = (problem: string): ConfigError => new ConfigError({ [SETTING]: problem });

function readIssuer(name: string, value: unknown, loopbackHttp: boolean): ExternalIssuer {
  const members = new Members(`"${name}"`, value);
  if (!namePattern.test(name)) {
    throw refused(`"${name}" must be a name of lower-case letters, digits and hyphens that begins with a letter`);
  }
  const addresses = { iss: members.address('iss', loopbackHttp), jwksUrl: members.address('jwks_url', loopbackHttp) };
  const maxScopes = members.scopes('max_scopes') ?? ['call', 'read'];
  const scopeMap = members.scopeMap('scope_map', maxScopes);
  const accountId = members.text('account_id');
  if (accountId !== undefined && !isAccountId(accountId))
    throw members.fault('account_id', 'must be the id of an account');
  const opening = members.members('open_accounts');
  if (opening !== undefined && accountId !== undefined) {
    throw members.fault(
      'open_accounts',
      'cannot stand beside "account_id": tokens act for one account or for one each',
    );
  }
  const issuer: ExternalIssuer = {
    name,
    ...addresses,
    audiences: members.texts('audience') ?? [],
    algorithms: members.choices('algorithms', externalAlgorithms) ?? ['RS256', 'ES256'],
    types: (members.texts('types') ?? ['at+jwt', 'JWT', '']).map(typeOf),
    clockSkewSeconds: members.integer('clock_skew_seconds', 0, MAX_CLOCK_SKEW_SECONDS) ?? DEFAULT_CLOCK_SKEW_SECONDS,
    maxLifeSeconds: members.integer('max_life_seconds', MIN_LIFE_SECONDS, MAX_LIFE_SECONDS) ?? DEFAULT_LIFE_SECONDS,
    subjectClaim: members.path('subject_claim') ?? ['sub'],
    scopesClaim: members.path('scopes_claim') ?? ['scope'],
    ...(scopeMap === undefined ? {} : { scopeMap }),
    defaultScopes: members.scopes('default_scopes', maxScopes) ?? [],
    maxScopes,
    ...(accountId === undefined ? {} : { accountId }),
    ...(opening === undefined ? {} : { openAccounts: readOpening(opening) }),
  };
  members.end();
  return issuer;
}

function readOpening(members: Members): OpenAccounts {
  const plan = members.text('plan');
  if (plan !== undefined && !namePattern.test(plan))
    throw members.fault('plan', 'must be the name of a rate-limit plan');
  const opening = {
    ...(plan === undefined ? {} : { plan }),
    welcomeCredits: members.credits('welcome_credits') ?? ZERO_CREDITS,
    perDay: members.integer('per_day', 0, MAX_PER_DAY) ?? DEFAULT_PER_DAY,
  };
  members.end();
  return opening;
}

/** As header parameters are compared: RFC 7515 §4.1.9. */
export const typeOf = (typ: string): string => typ.toLowerCase().replace(/^application\//, '');

/** The members of one object of the setting, each read once; what nobody reads is refused. */
class Members {
  private readonly known = new Set<string>();
  private readonly object: Readonly<Record<string, unknown>>;

  constructor(
    private readonly place: string,
    value: unknown,
  ) {
    if (!isJsonObject(value)) throw refused(`${place} must be a JSON object`);
    this.object = value;
  }

  fault(name: string, problem: string): ConfigError {
    return refused(`"${name}" of ${this.place} ${problem}`);
  }

  /** To be called last. */
  end(): void {
    const unknown = Object.keys(this.object).find((name) => !this.known.has(name));
    if (unknown === undefined) return;
    throw refused(`${this.place} has an unknown member "${unknown}"; known are ${[...this.known].join(', ')}`);
  }

  members(name: string): Members | undefined {
    const value = this.read(name);
    return value === undefined ? undefined : new Members(`"${name}" of ${this.place}`, value);
  }

  text(name: string): string | undefined {
    const value = this.read(name);
    if (value === undefined || isText(value)) return value;
    throw this.fault(name, `must be a text of 1 to ${MAX_TEXT_LENGTH} characters`);
  }

  /** One text or several; one of them may be empty, where absence is meant. */
  texts(name: string): readonly string[] | undefined {
    const value = this.read(name);
    if (value === undefined) return undefined;
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    const isListed = (entry: unknown): entry is string => isText(entry) || (name === 'types' && entry === '');
    if (list.length > 0 && list.length <= MAX_ENTRIES && list.every(isListed)) return list;
    throw this.fault(name, `must be a text, or a list of 1 to ${MAX_ENTRIES} of them`);
  }

  choices<T extends string>(name: string, choices: readonly T[]): readonly T[] | undefined {
    const texts = this.texts(name);
    const chosen = texts?.map((text) => choices.find((choice) => choice === text));
    if (chosen === undefined) return undefined;
    const known = chosen.filter((choice) => choice !== undefined);
    if (known.length < chosen.length) throw this.fault(name, `must be some of ${choices.join(', ')}`);
    return known;
  }

  scopes(name: string, among: readonly OAuthScope[] = oauthScopes): readonly OAuthScope[] | undefined {
    return this.choices(name, among);
  }

  path(name: string): ClaimPath | undefined {
    const path = this.texts(name);
    if (path === undefined || path.length <= MAX_PATH_LENGTH) return path;
    throw this.fault(name, `must be the name of a claim, or a path of at most ${MAX_PATH_LENGTH} names`);
  }

  integer(name: string, min: number, max: number): number | undefined {
    const value = this.read(name);
    if (value === undefined) return undefined;
    if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
    throw this.fault(name, `must be a whole number from ${min} to ${max}`);
  }

  credits(name: string): Credits | undefined {
    const value = this.read(name);
    if (value === undefined) return undefined;
    const problem = `must be a number of credits from 0 to ${MAX_WELCOME_CREDITS} with at most six decimals`;
    if (typeof value !== 'number' || !(value >= 0 && value <= MAX_WELCOME_CREDITS)) throw this.fault(name, problem);
    try {
      return creditsFromNumber(value);
    } catch {
      throw this.fault(name, problem);
    }
  }

  scopeMap(name: string, among: readonly OAuthScope[]): ReadonlyMap<string, readonly OAuthScope[]> | undefined {
    const mapped = this.members(name);
    if (mapped === undefined) return undefined;
    const names = Object.keys(mapped.object);
    if (names.length > MAX_ENTRIES) throw this.fault(name, `must map at most ${MAX_ENTRIES} values`);
    return new Map(names.map((value) => [value, mapped.scopes(value, among) ?? []]));
  }

  /** Reads the address of an issuer or of its keys. The host is the operator's choice, also inside their network. */
  address(name: string, loopbackHttp: boolean): string {
    const text = this.text(name);
    if (text === undefined) throw this.fault(name, 'is missing');
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const isAllowed = url?.protocol === 'https:' || (loopbackHttp && url?.protocol === 'http:' && isLoopback(url));
    if (url === undefined || !isAllowed) throw this.fault(name, 'must be a URL that begins with https://');
    if (url.username !== '' || url.password !== '' || url.hash !== '') {
      throw this.fault(name, 'must be a URL without a user, a password and a fragment');
    }
    return text;
  }

  private read(name: string): unknown {
    this.known.add(name);
    return Object.hasOwn(this.object, name) ? this.object[name] : undefined;
  }
}

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_TEXT_LENGTH;

const isLoopback = ({ hostname }: URL): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
