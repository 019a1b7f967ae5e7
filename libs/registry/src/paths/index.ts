export * from './clean-path.ts';
export * from './glob.ts';
export * from './join-root.ts';
