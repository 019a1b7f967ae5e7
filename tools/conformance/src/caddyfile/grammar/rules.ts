/** Rules of a grammar by name: the alternatives of each. `grammar.ts` says what they may contain. */
export type Rules = Readonly<Record<string, readonly string[]>>;
