/** Where a directive's routes stand among those of others. */

/** The very first, the last, or right before or after those of another directive. */
export type DirectiveOrder = 'first' | 'last' | { readonly before: string } | { readonly after: string };
