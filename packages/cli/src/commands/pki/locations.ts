/** Where certificates are, from the flags that say so. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  dns1035LabelErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
} from '@tributary/apimachinery';
import type { ExtensionServer, ServiceName } from '@tributary/core-server';
import { InvalidArgumentError } from 'commander';

export const DATA_DIR = '.tributary';

export interface ServerFlags {
  readonly dataDir: string;
  readonly server?: string;
  readonly service?: ServiceName;
  readonly out?: string;
}

/** A control plane, or one extension server. */
export type Location =
  | { readonly kind: 'control-plane'; readonly directory: string }
  | {
      readonly kind: 'extension-server';
      readonly directory: string;
      readonly server: ExtensionServer;
    };

export async function locationOf(flags: ServerFlags): Promise<Location> {
  if (flags.server !== undefined) return extensionServer(flags, flags.server);
  const alone = flags.service === undefined ? flags.out && '--out' : '--service';
  if (alone !== undefined) {
    throw new Error(`${alone} is about an extension server: name it with --server GROUP`);
  }
  return { kind: 'control-plane', directory: controlPlaneDirectory(flags.dataDir) };
}

export function controlPlaneDirectory(dataDir: string): string {
  return join(dataDir, 'pki');
}

/** The groups for which `pki init --server` has made something in a data directory. */
export async function knownServers(dataDir: string): Promise<string[]> {
  const directory = serversDirectory(dataDir);
  return existsSync(directory) ? (await readdir(directory)).sort() : [];
}

/** The purpose of a directory is in its certificate, so only the first command needs the flag. */
async function extensionServer(flags: ServerFlags, name: string): Promise<Location> {
  const { serviceOf } = await import('@tributary/core-server');
  const directory = serverDirectory({ ...flags, server: name });
  const made = await serviceOf(directory);
  const wanted = flags.service ?? made;
  if (wanted === undefined) {
    throw new Error(
      `${join(directory, 'tls.crt')} does not say which Service it is for: add --service NAMESPACE/NAME`,
    );
  }
  return { kind: 'extension-server', directory, server: { group: name, service: wanted } };
}

export function serverDirectory(flags: { dataDir: string; server: string; out?: string }): string {
  return flags.out ?? join(serversDirectory(flags.dataDir), flags.server);
}

function serversDirectory(dataDir: string): string {
  return join(controlPlaneDirectory(dataDir), 'servers');
}

/** `wardle.example.com`: also the name of a directory, so it must not be a path. */
export function group(text: string): string {
  return checked(text, dns1123SubdomainErrors);
}

export function service(text: string): ServiceName {
  const { namespace, name } = namespacedName(text);
  return { namespace, name: checked(name, dns1035LabelErrors) };
}

export function namespacedName(text: string): ServiceName {
  const [namespace = '', name = '', ...rest] = text.split('/');
  if (name === '' || rest.length > 0) {
    throw new InvalidArgumentError('Write it as NAMESPACE/NAME.');
  }
  return {
    namespace: checked(namespace, dns1123LabelErrors),
    name: checked(name, dns1123SubdomainErrors),
  };
}

function checked(value: string, errorsOf: (value: string) => string[]): string {
  const [error] = errorsOf(value);
  if (error !== undefined) throw new InvalidArgumentError(`"${value}": ${error}`);
  return value;
}
