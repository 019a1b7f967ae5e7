/** An entry of a listing. */
export interface ListingItem {
  /** Name; a directory's ends with a slash. */
  readonly name: string;
  /** URL relative to the directory, escaped. */
  readonly url: string;
  /** Size in bytes; for links, the size of the target. */
  readonly size: number;
  /** File type and permissions of the entry itself, as in `stat(2)`. */
  readonly mode: number;
  readonly mtimeNs: bigint;
  /** True for a directory or a link to a directory. */
  readonly isFolder: boolean;
  readonly isLink: boolean;
  /** Link target; empty for other entries, or if not disclosed. */
  readonly target: string;
}
