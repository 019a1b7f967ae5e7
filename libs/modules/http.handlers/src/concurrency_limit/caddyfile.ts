import { duration, handler, integer, none, text } from '@sluice/caddyfile';

const once = '% is already specified';

export const concurrencyLimit = handler('concurrency_limit', {
  line: none,
  block: {
    name: text('<name>', { once }),
    key: text('<key>', { once }),
    max: integer('<number>', { once }),
    queue: integer('<number>', { once }),
    queue_timeout: duration({ once }),
    status_code: integer('<status>', { once }),
  },
  unknown: "unrecognized concurrency_limit subdirective '%'",
  example:
    'concurrency_limit {\n\tkey {remote_host}\n\tmax 10\n\tqueue 50\n\tqueue_timeout 5s\n}\nreverse_proxy localhost:9000',
});
