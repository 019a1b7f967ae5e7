export * from './duration.ts';
export * from './value-error.ts';
