/** Ports of the loopback interface, and the processes that listen on them. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { groupOf } from './process-group.ts';

/** Another process listens on the port of one of our processes. */
export class PortStolen extends Error {
  override name = 'PortStolen';
}

/** Ports that this process assigned before: a closed listener frees its number for the next caller. */
const handedOut = new Set<number>();
const ATTEMPTS = 20;

/** A port without a listener. Another process may still take it first: see `withFreePort`. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = await probePort(host);
    if (handedOut.has(port)) continue;
    handedOut.add(port);
    return port;
  }
  throw new Error(`no unused port on ${host} in ${ATTEMPTS} attempts`);
}

/** Starts a process on a free port, and retries with another port when it was taken in between. */
export async function withFreePort<T>(
  start: (port: number) => Promise<T>,
  { attempts = 5 }: { attempts?: number } = {},
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    try {
      return await start(port);
    } catch (error) {
      if (attempt >= attempts || !isAddressInUse(error)) throw error;
    }
  }
}

/** Node's error code, or the message of a program in another language in its log. */
export function isAddressInUse(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof PortStolen) return true;
  if (/EADDRINUSE|address already in use/i.test(error.message)) return true;
  return isAddressInUse(error.cause);
}

/** The process that listens on a port; undefined when there is none, or it belongs to another user. */
export function listeningPid(port: number): number | undefined {
  return listeners(port).flatMap(({ pids }) => pids)[0];
}

/**
 * Throws `PortStolen` unless every socket that listens on the port belongs to the process or to a member of its
 * group. A test against another process passes or fails for the wrong reason.
 */
export function assertListensOn(owner: number | { readonly pid: number }, port: number): void {
  const pid = typeof owner === 'number' ? owner : owner.pid;
  const found = listeners(port);
  if (found.length === 0) throw new Error(`nothing listens on port ${port}`);
  for (const { pids } of found) {
    if (pids.some((candidate) => candidate === pid || groupOf(candidate) === pid)) continue;
    const who = pids.length > 0 ? `process ${pids.join(', ')}` : "another user's process";
    throw new PortStolen(`port ${port} belongs to ${who}, not to process group ${pid}`);
  }
}

async function probePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('not a TCP address');
  return address.port;
}

interface Listener {
  /** All processes that hold the socket: a fork shares it. */
  pids: number[];
}

function listeners(port: number): Listener[] {
  return process.platform === 'linux' ? listenersFromProc(port) : listenersFromLsof(port);
}

function listenersFromProc(port: number): Listener[] {
  const inodes = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) =>
    listeningInodes(readIfThere(table), port),
  );
  if (inodes.length === 0) return [];
  const holders = socketHolders(new Set(inodes));
  return inodes.map((inode) => ({ pids: holders.get(inode) ?? [] }));
}

const LISTEN = '0A';

/** Columns: sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode. */
export function listeningInodes(table: string, port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return table
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => state === LISTEN && local?.endsWith(suffix))
    .map((columns) => columns[9] ?? '');
}

function socketHolders(inodes: ReadonlySet<string>): Map<string, number[]> {
  const holders = new Map<string, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    for (const inode of socketsOf(name)) {
      if (inodes.has(inode)) holders.set(inode, [...(holders.get(inode) ?? []), Number(name)]);
    }
  }
  return holders;
}

function socketsOf(pid: string): Set<string> {
  const sockets = new Set<string>();
  for (const descriptor of listIfAllowed(`/proc/${pid}/fd`)) {
    const inode = /^socket:\[(\d+)\]$/.exec(linkTarget(`/proc/${pid}/fd/${descriptor}`))?.[1];
    if (inode !== undefined) sockets.add(inode);
  }
  return sockets;
}

function listenersFromLsof(port: number): Listener[] {
  try {
    const out = execFileSync('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-t'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return out
      .trim()
      .split('\n')
      .map((pid) => ({ pids: [Number(pid)] }));
  } catch {
    return []; // lsof exits with 1 when it finds nothing.
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // Without IPv6 in the kernel there is no tcp6.
  }
}

function listIfAllowed(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return []; // The process has ended, or belongs to another user.
  }
}

function linkTarget(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ''; // Closed in the meantime.
  }
}
