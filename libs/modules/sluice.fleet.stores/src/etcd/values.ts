/**
 * Encoding of strings as etcd values. etcd limits requests to 1.5 MiB. A long string is therefore compressed and stored in chunks, to which
 * the value refers.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { storeError } from '@sluice/fleet';
import { keyOf, put, type EtcdConnection, type RangeResponse } from '@sluice/store-clients/etcd';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Maximum size of a string that is stored directly as a value, in bytes. */
const maxSize = 256 * 1024;

const chunkSize = 512 * 1024;

/**
 * Returns the etcd value for a string. Stores the chunks of a long string below the key prefix `folder`, which ends in a slash. All keys
 * with this prefix are removed together with the value.
 */
export async function keepText(connection: EtcdConnection, folder: string, text: string): Promise<string> {
  if (Buffer.byteLength(text) <= maxSize) return `=${text}`;
  const bytes = await compress(text);
  const prefix = `${folder}${createHash('sha256').update(bytes).digest('hex')}/`;
  for (let at = 0; at < bytes.length; at += chunkSize) {
    const chunk = put(`${prefix}${numbered(at / chunkSize)}`, bytes.subarray(at, at + chunkSize));
    await connection.call('KV', 'Txn', { compare: [], success: [chunk], failure: [] });
  }
  return `#${Math.ceil(bytes.length / chunkSize)} ${prefix}`;
}

/** Returns the string in a value, or `null` if its chunks were removed in the meantime. */
export async function textOf(connection: EtcdConnection, value: Buffer): Promise<string | null> {
  const text = value.toString();
  if (text.startsWith('=')) return text.slice(1);
  const space = text.indexOf(' ');
  if (!text.startsWith('#') || space < 0)
    throw storeError(`etcd: unexpected value, not written by a fleet member: ${text.slice(0, 40)}`);
  const prefix = text.slice(space + 1);
  const chunks: Buffer[] = [];
  for (let i = 0; i < Number(text.slice(1, space)); i++) {
    const { kvs } = await connection.call<RangeResponse>('KV', 'Range', keyOf(prefix + numbered(i)));
    if (kvs[0] === undefined) return null;
    chunks.push(kvs[0].value);
  }
  return (await decompress(Buffer.concat(chunks))).toString();
}

/** Formats a number as part of a key, so that keys sort in numerical order. */
export function numbered(value: number): string {
  return String(value).padStart(16, '0');
}
