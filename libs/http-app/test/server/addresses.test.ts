import { expect } from 'chai';
import { serve, withRoutes } from '@sluice/testing';

/** Returns the error that an invalid listener address causes. */
async function refused(address: string): Promise<string> {
  try {
    await (await serve(withRoutes([], { listen: [address] }), { register: [] })).close();
  } catch (error) {
    return String(error);
  }
  return '';
}

describe('server addresses', () => {
  for (const address of ['{env.SLUICE_TEST_UNSET}:25980', '{nope}:25980', '127.0.0.1:{env.SLUICE_TEST_UNSET}']) {
    it(`a server rejects the ambiguous address ${address}`, async () => {
      expect(await refused(address)).to.match(/servers\.s\.listen\[0\]: .*placeholder/);
    });
  }
});
