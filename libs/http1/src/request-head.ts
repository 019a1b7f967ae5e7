/** Request head as provided by a parser. */
import type { HeaderMap } from './header-map.ts';

/** Properties of a request that are known when its head is complete. */
export interface RequestHead {
  readonly method: string;
  /** Escaped path, such as `/a%20b`; never empty, `*` for `OPTIONS *`. */
  readonly rawPath: string;
  /** Query without `?`; `null` if there is no `?`. */
  readonly query: string | null;
  /** Target as sent, unless it consists of path and query only; otherwise `null` or undefined. */
  readonly target?: string | null;
  readonly proto: string;
  /** Host and port from the `:authority`, the absolute target or the Host field. */
  readonly host: string;
  readonly headers: HeaderMap;
}
