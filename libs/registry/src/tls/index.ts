export * from './ca-pool.ts';
export * from './checked-certificates.ts';
export * from './name-set.ts';
export * from './pem.ts';
export * from './tls-app.ts';
export * from './tls-info.ts';
