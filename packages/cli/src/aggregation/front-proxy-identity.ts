import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Logger } from '@tributary/server';
import { reloadFiles } from '@tributary/server/program';

export interface FrontProxyIdentity extends Disposable {
  readonly current: { readonly cert: string; readonly key: string };
  onChange(listener: () => void): void;
}

export interface FrontProxyFlags {
  readonly proxyClientCertFile: string;
  readonly proxyClientKeyFile: string;
}

/** The client certificate that identifies this process as a front proxy, reloaded when its files change. */
export async function frontProxyIdentity(
  flags: FrontProxyFlags,
  log: Logger,
): Promise<FrontProxyIdentity> {
  const paths = [flags.proxyClientCertFile, flags.proxyClientKeyFile];
  const [cert = '', key = ''] = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
  let current = { cert, key };
  let notify = () => {};
  const files = await reloadFiles(
    {
      name: 'front-proxy client certificate',
      paths,
      apply: ([newCert = '', newKey = '']) => {
        requirePair(newCert, newKey);
        current = { cert: newCert, key: newKey };
        notify();
      },
    },
    { log },
  );
  requirePair(cert, key);
  return {
    get current() {
      return current;
    },
    onChange: (listener) => {
      notify = listener;
    },
    [Symbol.dispose]: () => files[Symbol.dispose](),
  };
}

/** Throws when the key is not the one of the certificate. */
function requirePair(cert: string, key: string): void {
  createSecureContext({ cert, key });
}
