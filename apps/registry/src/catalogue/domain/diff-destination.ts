import {
  contractChange,
  equalJson,
  type ContractChange,
  type ProviderAuth,
  type ToolBinding,
} from '@capability-router/contracts';
import type { JsonObject, JsonValue } from '@capability-router/kernel';

/** Where a binding sends what callers give it and, by `auth`, the provider's credential. By path in the manifest. */
function destinationOf(binding: ToolBinding): Readonly<Record<Path, JsonValue | undefined>> {
  const auth = binding.kind === 'builtin' ? undefined : binding.auth;
  return {
    'binding.kind': binding.kind,
    'binding.url': binding.kind === 'http' ? normalised(originOf(binding.url)) : undefined,
    'binding.server': binding.kind === 'mcp' ? { ...binding.server } : undefined,
    'binding.auth.kind': auth?.kind,
    'binding.auth.token_url': auth?.kind === 'oauth2_client_credentials' ? auth.tokenUrl : undefined,
  };
}

const reasons = {
  'binding.kind': 'another kind of provider runs the tool',
  'binding.url': 'parameters go to another scheme, host or port',
  'binding.server': 'parameters go to another MCP server',
  'binding.auth.kind': 'the provider is shown another credential, or the same in another way',
  'binding.auth.token_url': "the provider's credential goes to another token endpoint",
} as const;
type Path = keyof typeof reasons;
const paths = Object.keys(reasons) as Path[];

/** One change for each part of the destination that is another. */
export function diffDestination(before: ToolBinding, after: ToolBinding): ContractChange[] {
  const [old, now] = [destinationOf(before), destinationOf(after)];
  return paths
    .filter((path) => !equalJson(old[path], now[path]))
    .map((path) => contractChange(path, 'destination', reasons[path], old[path], now[path]));
}

/** The rest of a binding, but for the path of its result, which is judged by itself. */
export function withoutDestination(binding: ToolBinding): JsonObject {
  if (binding.kind === 'builtin') return { operation: binding.operation };
  const auth = restOf(binding.auth);
  if (binding.kind === 'mcp') {
    const { kind: _kind, server: _server, ...rest } = binding;
    return { ...rest, auth };
  }
  const { kind: _kind, resultPath: _resultPath, url, ...rest } = binding;
  return JSON.parse(JSON.stringify({ ...rest, url: url.slice(originOf(url).length), auth })) as JsonObject;
}

function restOf(auth: ProviderAuth): JsonObject {
  const { kind: _kind, tokenUrl: _tokenUrl, ...rest } = { tokenUrl: undefined, ...auth };
  return rest as JsonObject;
}

/** The origin of an address as it is written, without its path. */
const originOf = (url: string): string => /^[a-z][a-z0-9+.-]*:\/\/[^/?#\\]*/i.exec(url)?.[0] ?? url;

/** `https://A.example:443` is `https://a.example`. */
const normalised = (origin: string): string => (URL.canParse(origin) ? new URL(origin).origin : origin);
