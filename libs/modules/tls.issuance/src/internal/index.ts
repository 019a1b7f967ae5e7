/** `tls.issuance.internal`: issues certificates from a CA of the `pki` app. */
import { boolean, defineModule, duration, options, string } from '@sluice/registry';
import { SluiceError, parseDuration } from '@sluice/base';
import { defaultAuthority, pkiApp } from '@sluice/pki-app';
import { issuers, type Issuer } from '@sluice/tls-app';

export const internalModule = defineModule(issuers, {
  name: 'internal',
  help: 'Issues certificates from a certificate authority in the `pki` app. Clients must trust the root certificate of this authority.',
  config: options({
    ca: string('ID of the certificate authority in the `pki` app. Default: "local".'),
    lifetime: duration('Validity period of certificates. Default: 12 hours.'),
    sign_with_root: boolean('Sign certificates with the root certificate instead of the intermediate certificate.'),
  }),
  async provision(config, context): Promise<Issuer> {
    const id = config.ca || defaultAuthority;
    const lifetime = parseDuration(config.lifetime ?? 0);
    if (lifetime < 0) throw context.error('must not be negative', 'lifetime');
    const pki = await context.app(pkiApp);
    if (context.roles.control && id !== defaultAuthority && (await pki.authority(id)) === null)
      throw context.error(`certificate authority ${JSON.stringify(id)} does not exist in apps.pki`, 'ca');
    return {
      storageKey: id,
      async issue({ csr, names }) {
        const authority = await pki.authority(id);
        if (authority === null)
          throw new SluiceError('ERR_PKI_AUTHORITY', `certificate authority ${JSON.stringify(id)} does not exist`);
        return authority.issue({
          subject: { csr },
          names,
          signWithRoot: config.sign_with_root ?? false,
          ...(lifetime === 0 ? {} : { lifetime }),
        });
      },
    };
  },
});
