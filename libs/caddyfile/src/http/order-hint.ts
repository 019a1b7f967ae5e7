/** Position of a directive's routes among others. */

/** First, last, or directly before or after another directive. */
export type DirectiveOrder = 'first' | 'last' | { readonly before: string } | { readonly after: string };
