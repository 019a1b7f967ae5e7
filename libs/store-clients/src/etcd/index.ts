/** etcd 3.4 and later. */
export { EtcdConnection, type EtcdAddress, type EtcdStream } from './connection.ts';
export { EtcdLease } from './lease.ts';
export * from './messages.ts';
