import { isJsonObject, type JsonValue } from '@capability-router/kernel';
import { absolute } from '../../domain/documents.js';
import { NotImportable } from '../../domain/imported.js';

/**
 * The address below which the paths are: of the first server, its variables replaced by their defaults, read against the
 * address of the document. Throws `NotImportable` where that is none.
 */
export function serverUrl(levels: readonly (JsonValue | undefined)[], documentUrl: string): string {
  const servers = levels.find((level) => Array.isArray(level) && level.length > 0);
  const [server] = Array.isArray(servers) ? servers : [];
  const template = isJsonObject(server) && typeof server['url'] === 'string' ? server['url'] : '/';
  const variables = isJsonObject(server) && isJsonObject(server['variables']) ? server['variables'] : {};
  const url = template.slice(0, MAX_URL_LENGTH).replaceAll(/\{([^{}]*)\}/g, (_whole, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    const preset = isJsonObject(variable) ? (variable['default'] ?? '') : '';
    return typeof preset === 'string' || typeof preset === 'number' ? String(preset) : '';
  });
  const found = absolute(url, documentUrl);
  if (found === undefined || !/^https?:/.test(found)) {
    throw new NotImportable('Its server has no absolute http or https URL. Say which by "server_url".');
  }
  return withoutEnd(found);
}

/** Without what cannot stand before a path: a query, a fragment, slashes at its end. */
export function withoutEnd(address: string): string {
  const url = new URL(address);
  url.search = '';
  url.hash = '';
  return url.href.replace(/\/+$/, '');
}

const MAX_URL_LENGTH = 1_000;
