export * from './address.ts';
export * from './direct-reads.ts';
export * from './host-port.ts';
export * from './http-get.ts';
export * from './ip.ts';
export * from './ip-ranges.ts';
export * from './mask.ts';
