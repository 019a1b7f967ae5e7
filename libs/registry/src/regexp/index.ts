export * from './safe-regexp.ts';
export * from './replacement.ts';
