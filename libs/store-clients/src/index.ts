/** Clients for stores that several servers share. Each store's client has its own entry point, such as `@sluice/store-clients/redis`. */
export { readEndpoint } from './endpoint.ts';
export { RenewedLease } from './renewed-lease.ts';
export { readTlsFiles, storeTls } from './tls-files.ts';
