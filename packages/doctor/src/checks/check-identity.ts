import { createPrivateKey, X509Certificate } from 'node:crypto';
import { annotations } from '@tributary/aggregator/api-services';
import { readCaBundle } from '@tributary/proxy';
import type { FrontProxyPair, ProbeResponse, ReadResult } from '../probes/probes.ts';
import { type CheckResult, type Failed, type Fix, passed, unknown } from '../report/diagnosis.ts';
import {
  AUTHENTICATION_CONFIG_MAP,
  AUTHENTICATION_NAMESPACE,
  type CommandContext,
  mergePatch,
} from '../report/fixes.ts';
import { commonNameOf, signs } from './check-certificate.ts';

type Pair = Extract<FrontProxyPair, { kind: 'pair' }>;
export type AuthenticationConfig = ReadResult<Readonly<Record<string, string>>>;

const IMPACT = 'API servers accept X-Remote-* headers only with this client certificate';

/** Whether certificate and key exist, match and are valid now. */
export function checkPair(
  identity: FrontProxyPair,
  context: CommandContext,
  nowMs: number,
): CheckResult {
  if (identity.kind === 'none') return unknown(identity.message);
  const { certFile, key } = identity;
  const failed = (message: string, verb: 'init' | 'renew'): Failed => ({
    status: 'failed',
    message,
    impact: IMPACT,
    fixes: [{ kind: 'command', argv: ['tributary', 'pki', verb, '--data-dir', context.dataDir] }],
  });
  const leaf = parseCertificate(identity.cert);
  if (leaf === undefined) return failed(`${certFile} is not a certificate`, 'init');
  if (key === undefined) return failed(`the key of ${certFile} is missing`, 'init');
  if (!matchesKey(leaf, key))
    return failed(`the key next to ${certFile} belongs to another certificate`, 'init');
  if (leaf.validToDate.getTime() < nowMs) {
    return failed(`${certFile} expired on ${leaf.validToDate.toISOString()}`, 'renew');
  }
  if (leaf.validFromDate.getTime() > nowMs) {
    const from = leaf.validFromDate.toISOString();
    return failed(`${certFile} is valid only from ${from}; a clock may have been wrong`, 'renew');
  }
  return passed(`${commonNameOf(leaf.subject)} until ${leaf.validToDate.toISOString()}`);
}

function matchesKey(leaf: X509Certificate, key: string): boolean {
  try {
    return leaf.checkPrivateKey(createPrivateKey(key));
  } catch {
    return false; // not a private key
  }
}

function parseCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined; // reported by the caller
  }
}

const CERTIFICATE_ALERT = /ALERT_(?:[A-Z_]*CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED|CERT)/;

/**
 * Whether the server accepts the client certificate. Problems of the published ConfigMap count only when it does not: a server
 * may be configured by flags instead.
 */
export function checkTrust(
  identity: Pair,
  {
    name,
    config,
    response,
  }: { name: string; config: AuthenticationConfig; response: ProbeResponse },
  context: CommandContext,
): CheckResult {
  const leaf = new X509Certificate(identity.cert);
  const problem = config.kind === 'found' ? configProblem(identity, leaf, config.value) : undefined;
  const presented = `presents ${commonNameOf(leaf.subject)}`;
  if (!isRefused(response)) {
    if (config.kind === 'forbidden') {
      return passed(`${presented}; not allowed to read the ${CONFIG_MAP}: ${config.message}`);
    }
    if (config.kind === 'missing') return passed(`${presented}; there is no ${CONFIG_MAP}`);
    return passed(
      problem === undefined ? presented : `${presented}, accepted although ${problem.message}`,
    );
  }
  if (problem !== undefined && context.isStandalone) {
    return standaloneProblem(name, { message: problem.message, caFile: identity.caFile });
  }
  if (problem !== undefined) {
    const init = ['tributary', 'pki', 'init', '--data-dir', context.dataDir];
    const fix = problem.fix ?? { kind: 'command', argv: init };
    return { status: 'failed', message: problem.message, impact: IMPACT, fixes: [fix] };
  }
  if (response.kind === 'failed') {
    return {
      status: 'failed',
      message: `the server closes the connection because of the client certificate: ${response.code}`,
      impact: IMPACT,
      fixes: [
        {
          kind: 'server',
          action: 'restart',
          text: 'restart the server so that it trusts the front proxy, and requests client certificates without requiring one',
          flags: [`--requestheader-client-ca-file=${identity.caFile}`],
        },
      ],
    };
  }
  return passed(presented);
}

/** Never suggests to change the ConfigMap of another cluster: every CA in it may authenticate any user. */
function standaloneProblem(
  name: string,
  { message, caFile }: { message: string; caFile: string },
): Failed {
  return {
    status: 'failed',
    message,
    impact: `${IMPACT}, and the cluster does not know this aggregator`,
    fixes: [
      {
        kind: 'server',
        action: 'restart',
        text: 'restart the server so that it trusts this aggregator',
        flags: [`--requestheader-client-ca-file=${caFile}`],
      },
    ],
    // A server that receives the user's own token need not trust the aggregator.
    alternatives: [
      {
        kind: 'kubectl',
        args: ['annotate', 'apiservice', name, '--overwrite', `${annotations.forwardsToken}=true`],
      },
    ],
  };
}

const CONFIG_MAP = `ConfigMap ${AUTHENTICATION_NAMESPACE}/${AUTHENTICATION_CONFIG_MAP}`;

/** A 401 is reported by this check only when the ConfigMap explains it. */
function isRefused(response: ProbeResponse): boolean {
  if (response.kind === 'failed') return CERTIFICATE_ALERT.test(response.code);
  return response.status === 401 || response.status === 403;
}

interface ConfigProblem {
  readonly message: string;
  /** Undefined: a new pair is needed. */
  readonly fix: Fix | undefined;
}

function configProblem(
  { ca, certFile }: Pair,
  leaf: X509Certificate,
  data: Readonly<Record<string, string>>,
): ConfigProblem | undefined {
  const bundle = data[CA_KEY] ?? '';
  const published = certificatesIn(bundle);
  if (!published.some((pem) => signs(pem, leaf))) {
    const local = ca === undefined ? [] : certificatesIn(ca);
    const localCa = local.find((pem) => signs(pem, leaf));
    const names = published.map((pem) => commonNameOf(new X509Certificate(pem).subject)).join(', ');
    return {
      message: `${certFile} is signed by ${commonNameOf(leaf.issuer)}, and ${CA_KEY} of the ${CONFIG_MAP} contains ${names === '' ? 'no certificate' : `only ${names}`}${localCa === undefined ? '' : ' with a different key'}`,
      fix:
        localCa === undefined
          ? undefined
          : patchConfig({ [CA_KEY]: published.concat(localCa).map(withNewline).join('') }),
    };
  }
  const allowed = listOf(data, NAMES_KEY);
  const common = /^CN=(.*)$/m.exec(leaf.subject)?.[1] ?? '';
  if (allowed.length > 0 && !allowed.includes(common)) {
    return {
      message: `${commonNameOf(leaf.subject)} is not in ${NAMES_KEY} of the ${CONFIG_MAP}: ${allowed.join(', ')}`,
      fix: patchConfig({ [NAMES_KEY]: JSON.stringify([...allowed, common]) }),
    };
  }
  const missing = HEADERS.find(
    ([key, header]) =>
      !listOf(data, key).some((name) => name.toLowerCase() === header.toLowerCase()),
  );
  if (missing === undefined) return undefined;
  const [key, header] = missing;
  return {
    message: `${header} is not in ${key} of the ${CONFIG_MAP}, so no server reads it`,
    fix: patchConfig({ [key]: JSON.stringify([...listOf(data, key), header]) }),
  };
}

const CA_KEY = 'requestheader-client-ca-file';
const NAMES_KEY = 'requestheader-allowed-names';
const HEADERS = [
  ['requestheader-username-headers', 'X-Remote-User'],
  ['requestheader-group-headers', 'X-Remote-Group'],
] as const;

function patchConfig(data: Readonly<Record<string, string>>): Fix {
  return mergePatch(['configmap', AUTHENTICATION_CONFIG_MAP, '-n', AUTHENTICATION_NAMESPACE], {
    data,
  });
}

function certificatesIn(pem: string): readonly string[] {
  try {
    return readCaBundle(pem);
  } catch {
    return []; // reported as a bundle without certificates
  }
}

function withNewline(pem: string): string {
  return pem.endsWith('\n') ? pem : `${pem}\n`;
}

function listOf(data: Readonly<Record<string, string>>, key: string): readonly string[] {
  try {
    const list: unknown = JSON.parse(data[key] ?? '[]');
    return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
  } catch {
    return []; // not a list
  }
}
