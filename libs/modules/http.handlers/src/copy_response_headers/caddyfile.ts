/** The directive `copy_response_headers [matcher] { include FIELD…; exclude FIELD… }`. */
import { fields, handler, list } from '@sluice/caddyfile';

export const copyResponseHeaders = handler('copy_response_headers', {
  line: fields('', []),
  block: {
    include: list('<field>…', { adds: true, empty: true }),
    exclude: list('<field>…', { adds: true, empty: true }),
  },
  help: "Copies header fields from the upstream response: only the included fields, or all except the excluded fields. Only valid in a proxy's `handle_response` block.",
  example:
    'reverse_proxy localhost:9000 {\n\t@sorry status 5xx\n\thandle_response @sorry {\n\t\tcopy_response_headers {\n\t\t\tinclude Retry-After\n\t\t}\n\t\trespond "try again later" 503\n\t}\n}',
});
