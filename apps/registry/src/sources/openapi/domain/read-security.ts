import { isConnectionHeader, isHeaderName, type ProviderAuth } from '@capability-router/contracts';
import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';
import { asText } from '../../domain/clean-text.js';
import { absolute, type Documents } from '../../domain/documents.js';
import { NotImportable } from '../../domain/imported.js';

/** Scopes that one token may be asked for. */
const MAX_SCOPES = 50;

/**
 * Who calls, by the security requirements of an operation or of the document. Of alternatives the first that can be met
 * with one credential is taken; an empty one means that nobody has to say who calls. Throws `NotImportable`.
 */
export function readSecurity(documents: Documents, requirements: JsonValue | undefined): ProviderAuth {
  const alternatives = (Array.isArray(requirements) ? requirements : []).filter(isJsonObject);
  if (alternatives.length === 0 || alternatives.some((schemes) => Object.keys(schemes).length === 0))
    return { kind: 'none' };
  const problems: string[] = [];
  for (const schemes of alternatives) {
    const [first, ...more] = Object.entries(schemes);
    if (first === undefined) continue;
    const [name, scopes] = first;
    const auth = more.length > 0 ? 'several credentials at once' : authOf(documents, name, scopes);
    if (typeof auth !== 'string') return auth;
    problems.push(auth);
  }
  throw new NotImportable(`It wants ${[...new Set(problems)].join(', or ')}, which is not supported.`);
}

/** Returns how the scheme authenticates, or the words for what is not supported. */
function authOf(documents: Documents, name: string, scopes: JsonValue): ProviderAuth | string {
  const { rootBase: base, root } = documents;
  const components = isJsonObject(root) && isJsonObject(root['components']) ? root['components'] : {};
  const all = isJsonObject(components['securitySchemes']) ? components['securitySchemes'] : {};
  const declared = Object.hasOwn(all, name) ? all[name] : undefined;
  if (declared === undefined) return `the security scheme "${name.slice(0, 100)}", which is not declared`;
  const { value: scheme } = documents.object({ value: declared, base });
  switch (scheme['type']) {
    case 'apiKey': {
      const { in: where, name: key } = scheme;
      if (typeof key !== 'string' || !/^[!-~]{1,200}$/.test(key)) return 'an API key without a usable name';
      if (where === 'header' && (!isHeaderName(key) || isConnectionHeader(key))) {
        return `an API key in the header "${key.slice(0, 100)}"`;
      }
      if (where === 'header' || where === 'query') return { kind: 'api_key', in: where, name: key };
      return 'an API key in a cookie';
    }
    case 'http': {
      const kind = asText(scheme['scheme']).toLowerCase();
      if (kind === 'bearer' || kind === 'basic') return { kind };
      return `HTTP authentication of the kind "${kind.slice(0, 50)}"`;
    }
    case 'oauth2':
      return clientCredentials(scheme, scopes, base) ?? { kind: 'bearer' };
    case 'openIdConnect':
      return { kind: 'bearer' };
    default:
      return `security of the type "${asText(scheme['type']).slice(0, 50)}"`;
  }
}

/** Only the client-credentials flow works without a person. For other flows the operator supplies a bearer token. */
function clientCredentials({ flows }: JsonObject, scopes: JsonValue, base: string): ProviderAuth | undefined {
  const flow = isJsonObject(flows) ? flows['clientCredentials'] : undefined;
  if (!isJsonObject(flow) || typeof flow['tokenUrl'] !== 'string') return undefined;
  const tokenUrl = absolute(flow['tokenUrl'], base);
  if (tokenUrl === undefined) return undefined;
  const named = (Array.isArray(scopes) ? scopes : []).filter(
    (scope): scope is string => typeof scope === 'string' && /^[!-~]{1,200}$/.test(scope),
  );
  return { kind: 'oauth2_client_credentials', tokenUrl, scopes: named.slice(0, MAX_SCOPES) };
}
