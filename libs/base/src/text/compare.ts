/** Compares strings by code unit, like `Array.prototype.sort` without arguments. */
export function compareText(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
