/** Client for etcd 3.4 and later. */
export { EtcdConnection, type EtcdAddress, type EtcdStream } from './connection.ts';
export { EtcdLease } from './lease.ts';
export {
  below,
  between,
  createdAt,
  get,
  keyOf,
  missing,
  modifiedAt,
  put,
  remove,
  valueIs,
  type Compare,
  type Keys,
  type KeyValue,
  type Operation,
  type RangeResponse,
  type TxnRequest,
  type TxnResponse,
  type WatchResponse,
} from './messages.ts';
