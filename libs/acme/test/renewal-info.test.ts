import { certificateId, renewalInfo, type ClientRequest, type ClientResponse } from '@sluice/acme';
import { expect } from 'chai';
import { base, bench, issue, type Bench } from './support.ts';

const second = 1000;
const hour = 3_600_000;
const day = 24 * hour;
const address = `${base}/renewal-info`;

/** Creates a CA that supports ACME Renewal Information (ARI). The test defines the responses. */
async function withWindow(received: () => Partial<ClientResponse>): Promise<Bench> {
  const intercept = ({ url }: ClientRequest, response: ClientResponse): ClientResponse => {
    if (url === `${base}/directory`)
      return { ...response, body: JSON.stringify({ ...JSON.parse(response.body), renewalInfo: address }) };
    return url.startsWith(`${address}/`) ? { status: 200, headers: {}, body: '', ...received() } : response;
  };
  return bench({ intercept });
}

function windowOf(start: number, end: number): string {
  return JSON.stringify({
    suggestedWindow: { start: new Date(start).toISOString(), end: new Date(end).toISOString() },
    explanationURL: 'https://ca.test/why',
  });
}

describe('ACME renewal information (ARI)', () => {
  const start = Math.floor(Date.now() / second) * second + day;

  it("the ACME client queries the directory's ARI URL by authority key and serial number and returns the window", async () => {
    const all = await withWindow(() => ({ body: windowOf(start, start + hour) }));
    const chain = await issue(all);
    const found = await renewalInfo(all.session(), chain);
    expect(found).to.deep.include({ start, end: start + hour, explanation: 'https://ca.test/why' });
    expect(all.traffic.at(-1)?.request).to.include({ method: 'GET', url: `${address}/${await certificateId(chain)}` });
  });

  const waits: readonly [string, () => string, number][] = [
    ['missing', () => '', 6 * hour],
    ['one hour', () => '3600', hour],
    ['zero', () => '0', 60 * second],
    ['one year', () => String((365 * day) / second), day],
    ['a date', () => new Date(Date.now() + 3 * hour).toUTCString(), 3 * hour],
    ['invalid', () => 'soon', 6 * hour],
  ];
  for (const [what, retryAfter, wait] of waits) {
    it(`the ACME client keeps the ARI query interval within its limits if Retry-After is ${what}`, async () => {
      const all = await withWindow(() => {
        const value = retryAfter();
        const headers: Record<string, string> = value === '' ? {} : { 'retry-after': value };
        return { headers, body: windowOf(start, start + hour) };
      });
      const { retryAt = 0 } = (await renewalInfo(all.session(), await issue(all))) ?? {};
      expect(retryAt - Date.now()).to.be.closeTo(wait, 5 * second);
    });
  }

  const wrong: readonly [string, string][] = [
    ['ends before it begins', windowOf(start, start - hour)],
    ['has invalid times', '{"suggestedWindow":{"start":"soon","end":"later"}}'],
    ['is missing', '{}'],
  ];
  for (const [what, body] of wrong) {
    it(`the ACME client rejects an ARI response whose window ${what}, and reports its URL`, async () => {
      const all = await withWindow(() => ({ body }));
      const chain = await issue(all);
      const error = await renewalInfo(all.session(), chain).then(() => null, String);
      expect(error).to.contain(address).and.to.contain('returned no renewal window');
    });
  }

  it('the ACME client does not query ARI if the CA does not support it', async () => {
    const all = await bench();
    const chain = await issue(all);
    expect(await renewalInfo(all.session(), chain)).to.equal(null);
  });

  it('the ACME client references the replaced certificate in an order only if the CA supports ARI', async () => {
    const replaced = async (all: Bench): Promise<unknown> => {
      const chain = await issue(all);
      all.traffic.length = 0;
      await issue(all, { replaces: await certificateId(chain) });
      const sent = all.traffic.find(({ request }) => request.url === `${base}/new-order`)?.request.body ?? '{}';
      const { payload } = JSON.parse(sent) as { payload: string };
      return (JSON.parse(Buffer.from(payload, 'base64url').toString()) as { replaces?: string }).replaces;
    };
    expect(await replaced(await withWindow(() => ({})))).to.match(/^[\w-]+\.[\w-]+$/);
    expect(await replaced(await bench())).to.equal(undefined);
  });
});
