export * from './ascii-lower-case.ts';
export * from './bytes.ts';
export * from './flat.ts';
export * from './header-name.ts';
export * from './lower-case.ts';
export * from './percent.ts';
export * from './query.ts';
export * from './token.ts';
