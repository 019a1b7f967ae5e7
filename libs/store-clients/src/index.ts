/** Clients for stores that several servers share. Each client has a separate entry point, such as `@sluice/store-clients/redis`. */
export { readEndpoint } from './endpoint.ts';
export { RenewedLease } from './renewed-lease.ts';
export { readTlsFiles, storeTls } from './tls-files.ts';
