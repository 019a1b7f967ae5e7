/**
 * The change of a roll-out in the store. Engines differ in how large a value they take, etcd 1.5 MiB: a long change is compressed and kept in
 * parts, which are written before it. There is one roll-out at a time, so that the next one takes the places of the last.
 */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { FleetStore, StoreLease, Write } from '../store.ts';
import { decodeChange, encodeRollout, keys, type RolloutChange } from './rollout.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** The longest change that is a value by itself, and the size of a part, in characters. */
const sizes = { whole: 256 * 1024, part: 512 * 1024 };

/** The format of a value that says how many parts there are. */
const inParts = 2;

/**
 * Writes the parts of a change, if it has any. Gives what is to be written with the state, and takes away what is left of the last change;
 * `null` if the lease is not held any more.
 */
export async function keepChange(
  store: FleetStore,
  lease: StoreLease,
  change: RolloutChange,
  last: string | null,
): Promise<readonly Write[] | null> {
  const old = last === null ? null : await valueOf(store, keys.change(last));
  const text = encodeRollout(change);
  const packed = text.length <= sizes.whole ? '' : (await compress(text)).toString('base64');
  const parts = Math.ceil(packed.length / sizes.part);
  for (let i = 0; i < parts; i++) {
    // A part says whose it is: another one may be here by the time it is read.
    const value = JSON.stringify([change.id, packed.slice(i * sizes.part, (i + 1) * sizes.part)]);
    if (!(await store.transaction(lease, [{ key: keys.part(i), value }]))) return null;
  }
  const writes: Write[] = last === null ? [] : [{ key: keys.change(last), value: null }];
  for (let i = parts; i < partsOf(old); i++) writes.push({ key: keys.part(i), value: null });
  const value = parts === 0 ? text : JSON.stringify({ format: inParts, parts });
  return [...writes, { key: keys.change(change.id), value }];
}

/** Reads the change of a roll-out; `null` if it was removed, or another has taken its place. */
export async function readChange(store: FleetStore, id: string): Promise<RolloutChange | null> {
  const text = await valueOf(store, keys.change(id));
  if (text === null) return null;
  const parts = partsOf(text);
  if (parts === 0) return decodeChange(text);
  let packed = '';
  for (let i = 0; i < parts; i++) {
    const value = await valueOf(store, keys.part(i));
    const [owner, part] = value === null ? [null, ''] : (JSON.parse(value) as [string, string]);
    if (owner !== id) return null;
    packed += part;
  }
  return decodeChange((await decompress(Buffer.from(packed, 'base64'))).toString());
}

/** How many there are; 0 where the change stands there itself. */
function partsOf(text: string | null): number {
  const { format, parts } = JSON.parse(text ?? '{}') as { readonly format?: number; readonly parts?: number };
  return format === inParts && parts !== undefined ? parts : 0;
}

async function valueOf(store: FleetStore, key: string): Promise<string | null> {
  return (await store.values(key)).get(key) ?? null;
}
