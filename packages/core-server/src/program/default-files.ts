import { join } from 'node:path';
import type { CoreFlags } from './core-flags.ts';

/** The directory of generated certificates. */
export function pkiDirectory({ dataDir }: Pick<CoreFlags, 'dataDir'>): string {
  return join(dataDir, 'pki');
}

/** Defaults of file flags: generated files in the data directory, which are reloaded like any others. */
export function withDefaultFiles(flags: CoreFlags): CoreFlags {
  const generated = (name: string) => join(pkiDirectory(flags), name);
  const hasServing = flags.tlsCertFile !== '';
  const hasProxy = flags.requestheaderClientCaFile !== '';
  const names = flags.requestheaderAllowedNames;
  return {
    ...flags,
    tlsCertFile: flags.tlsCertFile || generated('apiserver.crt'),
    tlsPrivateKeyFile: flags.tlsPrivateKeyFile || generated('apiserver.key'),
    rootCaFile: flags.rootCaFile || (hasServing ? flags.tlsCertFile : generated('server-ca.crt')),
    clientCaFile: flags.clientCaFile || generated('ca.crt'),
    requestheaderClientCaFile: flags.requestheaderClientCaFile || generated('front-proxy-ca.crt'),
    requestheaderAllowedNames: hasProxy || names.length > 0 ? names : ['front-proxy-client'],
    proxyClientCertFile: flags.proxyClientCertFile || generated('front-proxy-client.crt'),
    proxyClientKeyFile: flags.proxyClientKeyFile || generated('front-proxy-client.key'),
    serviceAccountSigningKeyFile: flags.serviceAccountSigningKeyFile || generated('sa.key'),
    serviceAccountKeyFile:
      flags.serviceAccountKeyFile.length > 0 || flags.serviceAccountSigningKeyFile !== ''
        ? flags.serviceAccountKeyFile
        : [generated('sa.pub')],
  };
}
