export * from './ca-pool.ts';
export * from './tls-app.ts';
export * from './tls-info.ts';
