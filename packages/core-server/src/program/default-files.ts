import { join } from 'node:path';
import type { CoreFlags } from './core-flags.ts';

/** Where the control plane keeps the certificates that it made itself. */
export function pkiDirectory({ dataDir }: Pick<CoreFlags, 'dataDir'>): string {
  return join(dataDir, 'pki');
}

/** What no flag names is in the data directory, and treated like any other file: read again when it changes. */
export function withOwnFiles(flags: CoreFlags): CoreFlags {
  const own = (name: string) => join(pkiDirectory(flags), name);
  const hasServing = flags.tlsCertFile !== '';
  const hasProxy = flags.requestheaderClientCaFile !== '';
  const names = flags.requestheaderAllowedNames;
  return {
    ...flags,
    tlsCertFile: flags.tlsCertFile || own('apiserver.crt'),
    tlsPrivateKeyFile: flags.tlsPrivateKeyFile || own('apiserver.key'),
    rootCaFile: flags.rootCaFile || (hasServing ? flags.tlsCertFile : own('server-ca.crt')),
    clientCaFile: flags.clientCaFile || own('ca.crt'),
    requestheaderClientCaFile: flags.requestheaderClientCaFile || own('front-proxy-ca.crt'),
    requestheaderAllowedNames: hasProxy || names.length > 0 ? names : ['front-proxy-client'],
    proxyClientCertFile: flags.proxyClientCertFile || own('front-proxy-client.crt'),
    proxyClientKeyFile: flags.proxyClientKeyFile || own('front-proxy-client.key'),
    serviceAccountSigningKeyFile: flags.serviceAccountSigningKeyFile || own('sa.key'),
    serviceAccountKeyFile:
      flags.serviceAccountKeyFile.length > 0 || flags.serviceAccountSigningKeyFile !== ''
        ? flags.serviceAccountKeyFile
        : [own('sa.pub')],
  };
}
