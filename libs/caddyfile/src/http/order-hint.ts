/** Position of a directive's routes relative to other directives. */

/** Position in the directive order: first, last, or directly before or after another directive. */
export type DirectiveOrder = 'first' | 'last' | { readonly before: string } | { readonly after: string };
