/** An entry in a directory listing. */
export interface ListingItem {
  /** Name of the entry. A directory name ends with a slash. */
  readonly name: string;
  /** Escaped URL, relative to the directory. */
  readonly url: string;
  /** Size in bytes. For a link, the size of its target. */
  readonly size: number;
  /** File type and permissions of the entry itself, in `stat(2)` format. */
  readonly mode: number;
  readonly mtimeNs: bigint;
  /** True for a directory and for a link to a directory. */
  readonly isFolder: boolean;
  readonly isLink: boolean;
  /** Target of a link. Empty for other entries, or if targets are not disclosed. */
  readonly target: string;
}
