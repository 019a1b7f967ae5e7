import { X509Certificate } from 'node:crypto';
import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { provision, refusal, sampleCertificates, type Provisioned } from '@sluice/testing';
import { clientVerifiers, type ClientVerifier } from '@sluice/contracts';
import { register as registerLoaders } from '@sluice/tls.leaf_cert_loader';
import { register } from '../src/index.ts';

const settings = { register: [register, registerLoaders], key: 'verifier' };
const client = new X509Certificate(sampleCertificates.client);
const authority = new X509Certificate(sampleCertificates.authority);

const leaf = (leaf_certs_loaders: Json): Promise<Provisioned<ClientVerifier>> =>
  provision(clientVerifiers, { verifier: 'leaf', leaf_certs_loaders }, settings);

describe('tls.client_auth.verifier.leaf', () => {
  it('the leaf verifier accepts the certificates in its list', async () => {
    const { instance, close } = await leaf([{ loader: 'pem', certificates: [sampleCertificates.client] }]);
    instance.verify([client]);
    instance.verify([client, authority]);
    for (const chain of [[authority], [authority, client], []])
      expect(() => instance.verify(chain)).to.throw('not in the list of accepted certificates');
    await close();
  });

  it('the leaf verifier combines several certificate loaders', async () => {
    const { instance, close } = await leaf([
      { loader: 'pem', certificates: [sampleCertificates.client] },
      { loader: 'pem', certificates: [sampleCertificates.authority] },
    ]);
    instance.verify([client]);
    instance.verify([authority]);
    await close();
  });

  it('the leaf verifier accepts no client if its list is missing', async () => {
    const { instance, close } = await leaf(null);
    expect(() => instance.verify([client])).to.throw('not in the list');
    await close();
  });

  it('the leaf verifier rejects the configuration if a loader fails or a certificate is invalid', async () => {
    const broken = sampleCertificates.client.replace('MII', 'AAA');
    for (const certificates of [['x'], [broken]]) {
      const config = {
        verifier: 'leaf',
        leaf_certs_loaders: [
          { loader: 'pem', certificates: [] },
          { loader: 'pem', certificates },
        ],
      };
      expect(await refusal(clientVerifiers, config, settings)).to.match(
        /^apps\.host\.module\.leaf_certs_loaders\[1\]: /,
      );
    }
  });
});
