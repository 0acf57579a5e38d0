/** A backend that answers whatever it likes, to clients of both protocols. */
import { type Attack, type AttackContext, Findings } from '../attack.ts';
import { http1Behaviours } from '../evil-http1.ts';
import { http2Behaviours } from '../evil-http2.ts';
import { GROUP_OF } from '../evil-servers.ts';
import { knownDefects } from '../known-defects.ts';
import { ATTACKED, send } from '../site.ts';

const PROTOCOLS = ['1.1', '2'] as const;
const LANES = 6;
const TIMEOUT_MS = 2_000;

interface Case {
  readonly name: string;
  readonly behaviour: string;
  readonly backend: '1.1' | '2';
  readonly client: '1.1' | '2';
}

/** The name of a behaviour in the list of what is known. */
const nameOf = (backend: string, behaviour: string): string =>
  `backend over HTTP/${backend}: ${behaviour}`;

function casesOf(withKnown: boolean): Case[] {
  const behaviours = { '1.1': Object.keys(http1Behaviours), '2': Object.keys(http2Behaviours) };
  return PROTOCOLS.flatMap((backend) =>
    behaviours[backend]
      .map((behaviour) => ({ behaviour, name: nameOf(backend, behaviour) }))
      .filter(({ name }) => withKnown || !knownDefects.has(name))
      .flatMap((one) => PROTOCOLS.map((client) => ({ ...one, backend, client }))),
  );
}

export const evilBackends: Attack = {
  name: 'evil backends',
  summary: `${Object.keys(http1Behaviours).length} behaviours over HTTP/1.1 and ${Object.keys(http2Behaviours).length} over HTTP/2, to clients of both`,
  needs: 'backends',
  weight: 5,
  async run(context) {
    const findings = new Findings();
    // In another order each time: a short run has no time for all of them.
    const cases = context.random.shuffle(casesOf(context.withKnown));
    let next = 0;
    const lane = async (): Promise<void> => {
      for (let at = next++; at < LANES || context.hasTime(); at = next++) {
        if (context.site.hasEnded()) return;
        const one = cases[at % cases.length] as Case;
        const problem = await tryCase(context, one);
        if (problem !== undefined)
          findings.add(`${one.name}, client of HTTP/${one.client}: ${problem}`);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    return { sent: next, findings: findings.lines };
  },
};

/** Every response is accepted but a bug of the server, or its end. */
async function tryCase({ site, evil }: AttackContext, one: Case): Promise<string | undefined> {
  const { behaviour, backend, client } = one;
  const path = `/apis/${GROUP_OF[backend]}/v1/namespaces/${ATTACKED}/things/${behaviour}`;
  try {
    const { status, body, headers } = await send(site, {
      path,
      as: 'admin',
      http: client,
      timeoutMs: TIMEOUT_MS,
    });
    if (status === 500 && /InternalError/.test(body)) return `500 ${body.slice(0, 200)}`;
    if (headers['x-poison'] !== undefined) return 'a response of another request';
  } catch {
    // No response, or half of one, is what the backend gave.
  }
  if (site.hasEnded()) return 'the server ended';
  return evil === undefined ? 'no evil servers' : undefined;
}
