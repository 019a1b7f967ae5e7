/** Returns the 1-based line number of an index. */
export function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

/** Returns the byte offset of an index within its line. */
export function columnAt(text: string, index: number): number {
  return Buffer.byteLength(text.slice(text.lastIndexOf('\n', index - 1) + 1, index));
}
