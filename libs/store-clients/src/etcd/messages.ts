/** Messages of the etcd API. 64-bit integers are represented as strings. */

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

/** Keys that a request selects: one key, or the range from `key` to `range_end` (exclusive). */
export interface Keys {
  readonly key: Buffer;
  readonly range_end?: Buffer;
  readonly limit?: number;
  readonly keys_only?: boolean;
}

/** One operation in an etcd transaction. */
export interface Operation {
  readonly request_range?: Keys;
  readonly request_put?: { readonly key: Buffer; readonly value: Buffer; readonly lease?: string };
  readonly request_delete_range?: Keys;
}

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
  readonly events: readonly {
    /** Event type: 0 if the key was set, otherwise the key was deleted. */
    readonly type: number;
    readonly kv: KeyValue;
  }[];
}

export interface LeaseResponse {
  readonly ID: string;
  readonly TTL: string;
}

/** Returns a condition that holds if a key does not exist. */
export function missing(key: string): Compare {
  return createdAt(key, '0');
}

export function createdAt(key: string, revision: string): Compare {
  return { target: 1, key: Buffer.from(key), create_revision: revision };
}

/** Returns a condition that holds if the key was last modified in the given revision. `'0'` means that the key doesn't exist. */
export function modifiedAt(key: string, revision: string): Compare {
  return { target: 2, key: Buffer.from(key), mod_revision: revision };
}

/** Returns a condition that holds if the key has the given value. */
export function valueIs(key: string, value: string): Compare {
  return { target: 3, key: Buffer.from(key), value: Buffer.from(value) };
}

export function get(key: string): Operation {
  return { request_range: keyOf(key) };
}

/** Returns an operation that sets a key. If `lease` is given, etcd deletes the key when the lease ends. */
export function put(key: string, value: string | Buffer, lease = '0'): Operation {
  return { request_put: { key: Buffer.from(key), value: Buffer.from(value), lease } };
}

export function remove(keys: Keys): Operation {
  return { request_delete_range: keys };
}

export function keyOf(key: string): Keys {
  return { key: Buffer.from(key) };
}

/** Returns the key range from `from` to `to` (exclusive). */
export function between(from: string, to: string): Keys {
  return { key: Buffer.from(from), range_end: Buffer.from(to) };
}

export function below(prefix: string): Keys {
  const last = prefix.length - 1;
  return between(prefix, prefix.slice(0, last) + String.fromCharCode(prefix.charCodeAt(last) + 1));
}
