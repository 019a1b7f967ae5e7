export * from './layered-map.ts';
