/** The messages of etcd's API as the store sees them. Integers of 64 bits are texts. */

export interface KeyValue {
  readonly key: Buffer;
  readonly value: Buffer;
  readonly create_revision: string;
  readonly mod_revision: string;
}

export interface RangeResponse {
  readonly kvs: readonly KeyValue[];
  readonly more: boolean;
}

/** The keys of a request: one, or from `key` to before `range_end`. */
export interface Keys {
  readonly key: Buffer;
  readonly range_end?: Buffer;
  readonly limit?: number;
  readonly keys_only?: boolean;
}

/** One operation of a transaction. */
export interface Operation {
  readonly request_range?: Keys;
  readonly request_put?: { readonly key: Buffer; readonly value: Buffer; readonly lease?: string };
  readonly request_delete_range?: Keys;
}

/** A condition of a transaction: that of what is given is equal. */
export interface Compare {
  readonly target: number;
  readonly key: Buffer;
  readonly create_revision?: string;
  readonly mod_revision?: string;
  readonly value?: Buffer;
}

export interface TxnRequest {
  readonly compare: readonly Compare[];
  readonly success: readonly Operation[];
  readonly failure: readonly Operation[];
}

export interface TxnResponse {
  readonly header: { readonly revision: string };
  readonly succeeded: boolean;
  readonly responses: readonly { readonly response_range?: RangeResponse | null }[];
}

export interface WatchResponse {
  readonly canceled: boolean;
  readonly compact_revision: string;
  readonly cancel_reason: string;
  readonly events: readonly { /** 0 for a value that was set. */ readonly type: number; readonly kv: KeyValue }[];
}

export interface LeaseResponse {
  readonly ID: string;
  readonly TTL: string;
}

/** There is no such key. */
export function missing(key: string): Compare {
  return createdAt(key, '0');
}

/** The key was made in this revision. */
export function createdAt(key: string, revision: string): Compare {
  return { target: 1, key: Buffer.from(key), create_revision: revision };
}

/** The key was written last in this revision; `'0'`: there is none. */
export function modifiedAt(key: string, revision: string): Compare {
  return { target: 2, key: Buffer.from(key), mod_revision: revision };
}

/** The key has this value. */
export function valueIs(key: string, value: string): Compare {
  return { target: 3, key: Buffer.from(key), value: Buffer.from(value) };
}

/** Reads a key. */
export function get(key: string): Operation {
  return { request_range: keyOf(key) };
}

/** Sets a key; with `lease`, for as long as that lasts. */
export function put(key: string, value: string | Buffer, lease = '0'): Operation {
  return { request_put: { key: Buffer.from(key), value: Buffer.from(value), lease } };
}

/** Removes keys. */
export function remove(keys: Keys): Operation {
  return { request_delete_range: keys };
}

/** One key. */
export function keyOf(key: string): Keys {
  return { key: Buffer.from(key) };
}

/** The keys from `from` to before `to`. */
export function between(from: string, to: string): Keys {
  return { key: Buffer.from(from), range_end: Buffer.from(to) };
}

/** All keys that begin with a text of ASCII. */
export function below(prefix: string): Keys {
  const last = prefix.length - 1;
  return between(prefix, prefix.slice(0, last) + String.fromCharCode(prefix.charCodeAt(last) + 1));
}
