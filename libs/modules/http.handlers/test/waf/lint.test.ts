import { expect } from 'chai';
import { lintFindings } from '@sluice/testing';

/** Returns the lint messages about a firewall with the given options. */
async function found(options: object): Promise<readonly string[]> {
  const routes = [{ handle: [{ handler: 'waf', ...options }] }];
  const document = { apps: { http: { servers: { s: { listen: [':8080'], routes } } } } };
  const findings = (await lintFindings(document, [])).filter(({ code }) => code === 'SL073');
  return findings.map(({ path, message }) => `${path}: ${message}`);
}

const at = 'apps.http.servers.s.routes[0].handle[0]';
const recommended = 'Include @coraza.conf-recommended';

describe('SL073, ineffective-firewall', () => {
  it('SL073 reports a firewall whose engine is off or only detects attacks', async () => {
    for (const directives of ['', recommended, '# SecRuleEngine On', 'SecRuleEngine Off']) {
      const [message = '', ...others] = await found({ directives });
      expect(message).to.match(new RegExp(`^${at.replaceAll(/[[\\].]/g, '\\$&')}.*: blocks no requests`));
      expect(others).to.deep.equal([]);
    }
  });

  it('SL073 reports load_owasp_crs without an Include directive for the rules', async () => {
    const [message = ''] = await found({ load_owasp_crs: true, directives: 'SecRuleEngine On' });
    expect(message).to.contain(`${at}.directives: does not load the rules`);
  });

  it('SL073 accepts firewalls that block requests, that are intentionally limited to detection, or that include directives from other files', async () => {
    for (const options of [
      { directives: `${recommended}\nsecruleengine on` },
      { directives: 'SecRuleEngine DetectionOnly' },
      { load_owasp_crs: true, directives: `${recommended}\nInclude "@owasp_crs/*.conf"\nSecRuleEngine On` },
      { directives: 'Include /etc/coraza/main.conf', load_owasp_crs: true },
      { include: ['/etc/coraza/main.conf'] },
    ])
      expect(await found(options)).to.deep.equal([]);
  });
});
