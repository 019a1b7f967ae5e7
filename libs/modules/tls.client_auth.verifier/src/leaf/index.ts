/** `tls.client_auth.verifier.leaf`: accepts only listed client certificates. */
import { X509Certificate } from 'node:crypto';
import { defineModule, inlineModules, options, type Context } from '@sluice/registry';
import { SluiceError, messageOf } from '@sluice/base';
import { clientVerifiers, leafLoaders, type ClientVerifier, type LeafLoader } from '@sluice/contracts';

const key = 'leaf_certs_loaders';

export const leafModule = defineModule(clientVerifiers, {
  name: 'leaf',
  help: 'Accepts only client certificates that are in a list, regardless of the issuer.',
  config: options({
    leaf_certs_loaders: inlineModules(
      'Loaders that provide the accepted client certificates. Empty list = no client is accepted.',
      leafLoaders,
      'loader',
    ),
  }),
  async provision(config, context): Promise<ClientVerifier> {
    const loaders = await context.loadInlineList(leafLoaders, config.leaf_certs_loaders ?? [], 'loader', key);
    const known = new Set<string>();
    for (const [index, loader] of loaders.entries())
      for (const fingerprint of await fingerprintsOf(loader, index, context)) known.add(fingerprint);
    return {
      verify([certificate]) {
        if (certificate === undefined || !known.has(certificate.fingerprint256))
          throw new SluiceError(
            'ERR_CLIENT_CERTIFICATE',
            'the client certificate is not in the list of accepted certificates',
          );
      },
    };
  },
});

async function fingerprintsOf(loader: LeafLoader, index: number, context: Context): Promise<string[]> {
  try {
    return (await loader.load()).map((pem) => new X509Certificate(pem).fingerprint256);
  } catch (error) {
    throw context.error(messageOf(error), key, index);
  }
}
