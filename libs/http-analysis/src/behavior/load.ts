/** Loads the code for comparisons on first use. */
export function loadBehavior(): Promise<typeof import('./index.ts')> {
  return import('./index.ts');
}
