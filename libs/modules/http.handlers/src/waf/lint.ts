/** Lint check SL073. */
import { isObject, listAt, own } from '@sluice/base';
import { caddyfile, defineLint } from '@sluice/registry';

export const ineffectiveFirewall = defineLint({
  code: 'SL073',
  name: 'ineffective-firewall',
  severity: 'warning',
  summary: 'A web application firewall blocks no requests, because its rules are off or missing.',
  details: `The engine is off by default. \`@coraza.conf-recommended\` sets it to \`DetectionOnly\`: matches are logged, but nothing is blocked. To block requests, set \`SecRuleEngine On\`. If you only want to detect attacks, set \`SecRuleEngine DetectionOnly\` yourself. \`load_owasp_crs\` only provides the
files of the Core Rule Set, which \`Include @owasp_crs/*.conf\` loads. This check ignores directives in the files that the \`include\` option lists.`,
  bad: caddyfile(`:8080 {
	coraza_waf {
		load_owasp_crs
		directives \`
			Include @coraza.conf-recommended
			Include @crs-setup.conf.example
			Include @owasp_crs/*.conf
		\`
	}
	reverse_proxy 127.0.0.1:9000
}
`),
  good: caddyfile(`:8080 {
	coraza_waf {
		load_owasp_crs
		directives \`
			Include @coraza.conf-recommended
			Include @crs-setup.conf.example
			Include @owasp_crs/*.conf
			SecRuleEngine On
		\`
	}
	reverse_proxy 127.0.0.1:9000
}
`),
  check(configuration, report) {
    for (const { node, path } of configuration.modulesOf('http.handlers.waf')) {
      if (!isObject(node) || listAt(node, ['include']).length > 0) continue;
      const directives = own(node, 'directives');
      const text = typeof directives === 'string' ? directives : '';
      if (includesFile(text)) continue;
      const at = text === '' ? path : [...path, 'directives'];
      if (!/^\s*SecRuleEngine\s+(?:On|DetectionOnly)\b/im.test(text))
        report(at, 'blocks no requests: add "SecRuleEngine On", or "SecRuleEngine DetectionOnly" to only log matches');
      if (own(node, 'load_owasp_crs') === true && !/^\s*Include\s+"?@owasp_crs\//im.test(text))
        report(at, 'does not load the rules of the OWASP Core Rule Set: add "Include @owasp_crs/*.conf"');
    }
  },
});

/** Reports whether WAF directives include files. Included files may contain the settings that a lint check looks for. */
function includesFile(text: string): boolean {
  return /^\s*Include\s+"?[^@\s"]/im.test(text);
}
