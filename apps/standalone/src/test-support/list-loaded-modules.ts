// Loads the services as standalone does, runs none, and prints which modules that took: `{ modules, packages }`, the
// number of files and the packages that files of ours import.
import module from 'node:module';

interface Hooks {
  resolve(specifier: string, context: { readonly parentURL?: string }, next: Resolve): { readonly url: string };
}
type Resolve = (specifier: string, context: object) => { readonly url: string };

const loaded = new Set<string>();
const packages = new Set<string>();
const { registerHooks } = module as unknown as { registerHooks(hooks: Hooks): void };
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    if (resolved.url.startsWith('file:')) {
      loaded.add(resolved.url);
      const isPackage = resolved.url.includes('/node_modules/');
      if (isPackage && context.parentURL?.includes('/node_modules/') === false) packages.add(nameOf(specifier));
    }
    return resolved;
  },
});

/** The package of `@scope/name/file` or `name/file`. */
const nameOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

await import('../run-services.js');
process.stdout.write(JSON.stringify({ modules: loaded.size, packages: [...packages].sort() }));
// The watch over the shared parts of some packages would keep the process.
process.exit(0);
