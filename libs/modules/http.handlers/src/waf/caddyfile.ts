/** Caddyfile syntax: `coraza_waf [matcher] { directives TEXT; load_owasp_crs; include FILE; … }` */
import { duration, flag, handler, list, none, text } from '@sluice/caddyfile';

export const corazaWaf = handler('waf', {
  line: none,
  block: {
    load_owasp_crs: flag(),
    directives: text('<directives>'),
    include: list('<file>', { adds: true, apart: true }),
    tx_id_req_header: text('<field>'),
    engine: text('<path>'),
    fail_open: flag(),
    timeout: duration(),
  },
  unknown: 'invalid key "%"',
  example:
    'coraza_waf {\n\tload_owasp_crs\n\tdirectives `\n\t\tInclude @coraza.conf-recommended\n\t\tInclude @crs-setup.conf.example\n\t\tInclude @owasp_crs/*.conf\n\t\tSecRuleEngine On\n\t`\n}\nreverse_proxy localhost:9000',
});
