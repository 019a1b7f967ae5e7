/** Connections to the engines that keep what servers share. Those of one engine are imported by its name, such as `@sluice/store-clients/redis`. */
export { readEndpoint } from './endpoint.ts';
export { RenewedLease } from './renewed-lease.ts';
export { readTlsFiles, storeTls } from './tls-files.ts';
