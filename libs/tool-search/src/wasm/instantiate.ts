/** As much of WebAssembly as is used: the libraries of types that have it are those of browsers. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
}

/** The memory that the functions of an instance work in. */
export interface Memory {
  /** Another one after the memory has grown. */
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** Bytes of a page of memory. */
const PAGE_BYTES = 65_536;

const { Module, Instance } = (globalThis as unknown as { readonly WebAssembly: WebAssemblyApi }).WebAssembly;
/** Each compiled when it is needed first, and once. */
const modules = new Map<string, object>();

/** Makes a new instance of a module and gives its exports. `base64`: the module, as `npm run docs` compiles it. */
export function instantiate<Exports>(base64: string): Exports {
  let compiled = modules.get(base64);
  if (compiled === undefined) {
    compiled = new Module(Buffer.from(base64, 'base64'));
    modules.set(base64, compiled);
  }
  return new Instance(compiled).exports as Exports;
}

/** Makes a memory hold so many bytes at least. */
export function growTo(memory: Memory, bytes: number): void {
  const missing = bytes - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES));
}
