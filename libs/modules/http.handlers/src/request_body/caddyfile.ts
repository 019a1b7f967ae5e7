/** The directive `request_body [matcher] { max_size SIZE; set TEXT }`. */
import { handler, size, text } from '@sluice/caddyfile';

export const requestBody = handler('request_body', {
  block: { max_size: size(), set: text() },
  unknown: "unrecognized request_body subdirective '%'",
  example: 'request_body {\n\tmax_size 10MB\n}\nreverse_proxy localhost:9000',
});
