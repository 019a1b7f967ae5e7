import { expect } from 'chai';
import { createLogger, type Json } from '@sluice/base';
import { serve } from '@sluice/testing';

describe('metrics options', () => {
  for (const [where, metrics, warnings] of [
    ['of the app', { otlp: true }, 1],
    ['of the app', { otlp: false }, 0],
    ['of a server', { otlp: true }, 1],
  ] as const) {
    it(`the metrics option ${where} with ${JSON.stringify(metrics)} causes ${warnings} warnings`, async () => {
      const messages: string[] = [];
      const log = createLogger({ enabled: () => true, write: ({ message }) => messages.push(message) });
      const servers = { s: { listen: ['127.0.0.1:0'], ...(where === 'of a server' ? { metrics } : {}) } };
      const http: Json = { ...(where === 'of the app' ? { metrics } : {}), servers };
      const server = await serve({ apps: { http } }, { register: [], log });
      await server.close();
      expect(messages.filter((message) => message.startsWith('metrics.otlp'))).to.have.length(warnings);
    });
  }
});
