/**
 * Preloaded by `../memory-safety.test.ts`. Collects garbage before calls to C functions, after their arguments were evaluated, and around
 * callbacks from C. Memory that only its address keeps track of is therefore freed before C uses it. V8's flag `--gc-interval` would have a
 * similar effect, but Node's builds of V8 ignore the flag.
 *
 * Environment: `COLLECT_ONE_IN` (default 1) is the average number of calls per collection. `COLLECT_SEED` seeds the random choice.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Flags that optimize functions after a few calls. Unoptimized functions keep local variables until they return. */
const flags = [
  '--expose-gc',
  '--invocation-count-for-feedback-allocation=1',
  '--invocation-count-for-maglev=2',
  '--invocation-count-for-turbofan=4',
  '--minimum-invocations-before-optimization=1',
  '--minimum-invocations-after-ic-update=1',
  '--no-concurrent-recompilation',
  '--no-concurrent-array-buffer-sweeping',
];
for (const flag of flags) setFlagsFromString(flag);
const collectGarbage = runInNewContext('gc') as (options?: { type: 'minor' }) => void;

const oneIn = Number(process.env['COLLECT_ONE_IN'] ?? 1);
/** One in this many collections also frees objects that have survived earlier collections. */
const majorOneIn = 50;
let state = Number(process.env['COLLECT_SEED'] ?? 1);
let count = 0;

function collect(): void {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  if ((state / 2 ** 32) * oneIn >= 1) return;
  count += 1;
  if (count % majorOneIn === 0) collectGarbage();
  else collectGarbage({ type: 'minor' });
}

type Call = (...args: unknown[]) => unknown;
interface Methods {
  getFunction(name: string, signature: { readonly arguments: readonly string[] }): Call;
  registerCallback(signature: unknown, callback: Call): bigint;
}
const { prototype } = process.getBuiltinModule('node:ffi').DynamicLibrary as unknown as { prototype: Methods };
const { getFunction, registerCallback } = prototype;

prototype.getFunction = function (this: Methods, name, signature) {
  const call = getFunction.call(this, name, signature);
  // Rest parameters would make calls with few arguments slower than they are.
  if (signature.arguments.length > 3)
    return (...args) => {
      collect();
      return call(...args);
    };
  if (signature.arguments.length === 0)
    return () => {
      collect();
      return call();
    };
  if (signature.arguments.length === 1)
    return (a) => {
      collect();
      return call(a);
    };
  if (signature.arguments.length === 2)
    return (a, b) => {
      collect();
      return call(a, b);
    };
  return (a, b, c) => {
    collect();
    return call(a, b, c);
  };
};
prototype.registerCallback = function (this: Methods, signature, callback) {
  return registerCallback.call(this, signature, (...args) => {
    collect();
    const result = callback(...args);
    collect();
    return result;
  });
};
process.on('exit', () => process.stderr.write(`collections: ${count}\n`));
