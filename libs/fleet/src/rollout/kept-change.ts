/**
 * Stores the change of a rollout. Stores limit the size of values (etcd: 1.5 MiB), so a large change is compressed and split into parts.
 *
 * The parts are written before the state. There is only one rollout at a time, and the next rollout reuses the keys.
 */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { FleetStore, StoreLease, Write } from '../store.ts';
import { decodeChange, encodeRollout, keys, type RolloutChange } from './rollout.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Sizes in characters: the maximum size of a change that is not split, and the size of each part. */
const sizes = { whole: 256 * 1024, part: 512 * 1024 };

/** Format version of a value that contains only the number of parts. */
const inParts = 2;

/**
 * Writes the parts of a change that must be split. Removes leftover parts of the previous change.
 *
 * Returns the value to write together with the state. Returns `null` if the lease was lost.
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
    // Include the change ID in each part, because a reader may find parts of two different changes.
    const value = JSON.stringify([change.id, packed.slice(i * sizes.part, (i + 1) * sizes.part)]);
    if (!(await store.transaction(lease, [{ key: keys.part(i), value }]))) return null;
  }
  const writes: Write[] = last === null ? [] : [{ key: keys.change(last), value: null }];
  for (let i = parts; i < partsOf(old); i++) writes.push({ key: keys.part(i), value: null });
  const value = parts === 0 ? text : JSON.stringify({ format: inParts, parts });
  return [...writes, { key: keys.change(change.id), value }];
}

/** Reads the change of a rollout. Returns `null` if the change was removed or replaced. */
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

/** Returns the number of parts. Returns 0 if the value contains the entire change. */
function partsOf(text: string | null): number {
  const { format, parts } = JSON.parse(text ?? '{}') as { readonly format?: number; readonly parts?: number };
  return format === inParts && parts !== undefined ? parts : 0;
}

async function valueOf(store: FleetStore, key: string): Promise<string | null> {
  return (await store.values(key)).get(key) ?? null;
}
