/** Resolves the OpenSSL and libc functions that the Node executable exports. */
import type {
  ArgumentType,
  DynamicLibrary,
  getCurrentEventLoop,
  getRawPointer,
  setInt64,
  setUint8,
  toBuffer,
  toString,
} from 'node:ffi';

/** C types by letter: `p` pointer, `i` int, `u` unsigned, `l` int64, `L` uint64, `s` string, `v` void. */
interface Types {
  p: bigint;
  i: number;
  u: number;
  l: bigint;
  L: bigint;
  s: string | null;
  v: void;
}

const ffiNames = { p: 'pointer', i: 'int32', u: 'uint32', l: 'int64', L: 'uint64', s: 'string', v: 'void' } as const;

type Signature = readonly [keyof Types, ...(keyof Types)[]];

/** Function type for a C signature. A signature lists the result type, followed by the parameter types. */
type Callable<S extends Signature> = S extends readonly [
  infer R extends keyof Types,
  ...infer A extends readonly (keyof Types)[],
]
  ? (...args: { [K in keyof A]: Types[A[K]] }) => Types[R]
  : never;

export type Functions<T extends Readonly<Record<string, Signature>>> = { readonly [K in keyof T]: Callable<T[K]> };

interface Ffi {
  readonly DynamicLibrary: typeof DynamicLibrary;
  readonly getCurrentEventLoop: typeof getCurrentEventLoop;
  readonly getRawPointer: typeof getRawPointer;
  readonly setInt64: typeof setInt64;
  readonly setUint8: typeof setUint8;
  readonly toBuffer: typeof toBuffer;
  readonly toString: typeof toString;
}

let loaded: { readonly ffi: Ffi; readonly image: DynamicLibrary } | null = null;

/** Loads `node:ffi` and the process image. Throws if `node:ffi` is missing or not permitted. */
function load(): { readonly ffi: Ffi; readonly image: DynamicLibrary } {
  if (loaded !== null) return loaded;
  const ffi = withoutWarning(() => process.getBuiltinModule('node:ffi') as Ffi | undefined);
  if (ffi === undefined) throw new Error('this Node.js build does not include node:ffi');
  loaded = { ffi, image: new ffi.DynamicLibrary(null) };
  return loaded;
}

/** Suppresses Node's warning that `node:ffi` is experimental. The build information mentions the use of `node:ffi`. */
function withoutWarning<T>(callback: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return callback();
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Resolves C functions by name. Throws if a function is missing. */
export function functionsOf<const T extends Readonly<Record<string, Signature>>>(signatures: T): Functions<T> {
  const { image } = load();
  const functions = Object.entries(signatures).map(([name, [result, ...parameters]]) => {
    const found = image.getFunction(name, {
      return: ffiNames[result],
      arguments: parameters.map((each) => ffiNames[each] as ArgumentType),
    });
    return [name, found];
  });
  return Object.fromEntries(functions) as Functions<T>;
}

/** Returns the address of a C function, so that C code can call it. */
export function symbolAddress(name: string): bigint {
  return load().image.getSymbol(name);
}

/**
 * Creates a function that C can call for the lifetime of the thread. The function never throws, because an exception would terminate the
 * process.
 *
 * Exceptions are passed to `report`, and the function returns `failure` to C.
 */
export function callbackOf<S extends Signature>(
  signature: S,
  callback: Callable<S>,
  { failure, report }: { failure: number | undefined; report: (error: unknown) => void },
): bigint {
  const [result, ...parameters] = signature;
  const safe = (...args: unknown[]): unknown => {
    try {
      return (callback as (...each: unknown[]) => unknown)(...args);
    } catch (error) {
      report(error);
      return failure;
    }
  };
  return load().image.registerCallback(
    { return: ffiNames[result], arguments: parameters.map((each) => ffiNames[each] as ArgumentType) },
    safe as () => never,
  );
}

/** Returns the address of the first byte of a view. The view must not be empty. */
export function rawAddress(view: ArrayBufferView | ArrayBuffer): bigint {
  return load().ffi.getRawPointer(view as Buffer);
}

/** Returns a copy of memory owned by C. */
export function copyOf(address: bigint, length: number): Buffer {
  return length === 0 ? Buffer.alloc(0) : load().ffi.toBuffer(address, length, true);
}

/** Returns a view of memory owned by C. The caller must keep the memory allocated while using the view. */
export function bytesAt(address: bigint, length: number): Buffer {
  return load().ffi.toBuffer(address, length, false);
}

/** Returns the thread's event loop as a libuv pointer. */
export function eventLoop(): bigint {
  return load().ffi.getCurrentEventLoop();
}

/** Reads a null-terminated C string. */
export function textAt(address: bigint): string {
  return address === 0n ? '' : (load().ffi.toString(address) ?? '');
}

/** Writes a pointer or `size_t` result to memory provided by C. */
export function writePointer(address: bigint, value: bigint): void {
  load().ffi.setInt64(address, 0, value);
}

export function writeByte(address: bigint, value: number): void {
  load().ffi.setUint8(address, 0, value);
}
