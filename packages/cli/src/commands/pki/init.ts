import { join } from 'node:path';
import { type Location, locationOf, type ServerFlags } from './locations.ts';

export interface InitFlags extends ServerFlags {
  readonly name: readonly string[];
  readonly address: readonly string[];
}

/** Makes what is missing, and answers what to tell. */
export async function initCertificates(flags: InitFlags): Promise<string[]> {
  const location = await locationOf(flags);
  if (location.kind === 'extension-server') {
    if (flags.name.length + flags.address.length > 0) {
      throw new Error(
        '--name and --address are about the control plane: a Service has its own names',
      );
    }
    return initExtensionServer(location);
  }
  const { controlPlanePki } = await import('@tributary/core-server');
  const { directory } = location;
  const { made } = await controlPlanePki(directory, {
    names: flags.name,
    addresses: flags.address,
    nowMs: Date.now(),
  });
  return [summary(directory, made)];
}

async function initExtensionServer(
  location: Location & { kind: 'extension-server' },
): Promise<string[]> {
  const { extensionServerPki } = await import('@tributary/core-server');
  const { directory, server } = location;
  const { made, caBundle } = await extensionServerPki(directory, server, { nowMs: Date.now() });
  return [summary(directory, made), ...registration(location, caBundle)];
}

/** The configuration of the aggregator and the server, so that the aggregator reaches it. */
export function registration(
  { directory, server }: Location & { kind: 'extension-server' },
  caBundle: string,
): string[] {
  return [
    `the server:      kubectl apply -f ${join(directory, 'secret.yaml')}`,
    `its APIService:  spec.caBundle of every VERSION.${server.group}, also in ${join(directory, 'ca-bundle.txt')}:`,
    caBundle,
  ];
}

export function summary(directory: string, made: readonly string[]): string {
  return made.length === 0
    ? `${directory}: everything is there and good`
    : `${directory}: made ${made.join(', ')}`;
}
