/** Interface of a request head, as provided by a parser. */
import type { HeaderMap } from './header-map.ts';

/** Request properties that are available once the head is complete. */
export interface RequestHead {
  readonly method: string;
  /** Escaped path, such as `/a%20b`. Never empty. The path is `*` for `OPTIONS *`. */
  readonly rawPath: string;
  /** Query without `?`; `null` if the target contains no `?`. */
  readonly query: string | null;
  /** Request target as sent. `null` or undefined if it consists only of a path and a query. */
  readonly target?: string | null;
  readonly proto: string;
  /** Host and port from `:authority`, the absolute request target, or the `Host` field. */
  readonly host: string;
  readonly headers: HeaderMap;
}
