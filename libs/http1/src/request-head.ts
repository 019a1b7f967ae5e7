/** The head of a request, as a parser gives it. */
import type { HeaderMap } from './header-map.ts';

/** What the engine knows of a request when its head is complete. */
export interface RequestHead {
  /** As sent; methods are case-sensitive (RFC 9110 §9.1). */
  readonly method: string;
  /** Escaped path: `/a%20b`; never empty, `*` for `OPTIONS *`. */
  readonly rawPath: string;
  /** Query without `?`; `null` where there is no `?`. */
  readonly query: string | null;
  /** The target as sent, where it is not just path and query as above; `null` or nothing: it is. */
  readonly target?: string | null;
  /** `HTTP/1.0`, `HTTP/1.1`, `HTTP/2.0`. */
  readonly proto: string;
  /** Host and port as the client named them: authority, absolute target or Host field. */
  readonly host: string;
  readonly headers: HeaderMap;
}
