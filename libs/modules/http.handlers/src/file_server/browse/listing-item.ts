/** One entry of a listing. */

/** An entry of a listing. */
export interface ListingItem {
  /** Name; that of a folder has a slash at the end. */
  readonly name: string;
  /** Address relative to the folder, escaped. */
  readonly url: string;
  /** Bytes; those of the target of a link. */
  readonly size: number;
  /** Kind and permissions of the entry itself, as in `stat(2)`. */
  readonly mode: number;
  readonly mtimeNs: bigint;
  /** A folder, or a link to one. */
  readonly isFolder: boolean;
  readonly isLink: boolean;
  /** Where a link leads, as it says; empty if it is none or that is not to be told. */
  readonly target: string;
}
