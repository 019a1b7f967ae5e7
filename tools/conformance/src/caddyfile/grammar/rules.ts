/** Grammar rules by name, each with its alternatives. See `grammar.ts` for the syntax. */
export type Rules = Readonly<Record<string, readonly string[]>>;
