import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readCaBundle } from '../backend/ca-bundle.ts';
import { annotations } from '../registrations/registration.ts';
import { type Broken, type Fix, type Judgement, unseen, well } from './finding.ts';
import { mergePatch, type Place, TRUST_NAME, TRUST_NAMESPACE } from './fixes.ts';
import { nameOf, signs } from './judge-certificate.ts';
import type { Answer, IdentitySeen, Seen } from './look.ts';

type Pair = Extract<IdentitySeen, { kind: 'pair' }>;
export type Trust = Seen<Readonly<Record<string, string>>>;

const MATTERS = 'servers believe identities only from whoever shows this certificate';

/** The pair by itself: whether it can be shown at all. */
export function judgePair(identity: IdentitySeen, place: Place, nowMs: number): Judgement {
  if (identity.kind === 'none') return unseen(identity.why);
  const { certFile, key } = identity;
  const broken = (words: string, verb: 'init' | 'renew'): Broken => ({
    outcome: 'broken',
    words,
    matters: MATTERS,
    fixes: [{ kind: 'command', argv: ['tributary', 'pki', verb, '--data-dir', place.dataDir] }],
  });
  const leaf = certificateOf(identity.cert);
  if (leaf === undefined) return broken(`${certFile} is no certificate`, 'init');
  if (key === undefined) return broken(`there is no key to ${certFile}`, 'init');
  if (!fits(leaf, key))
    return broken(`the key beside ${certFile} is of another certificate`, 'init');
  if (leaf.validToDate.getTime() < nowMs) {
    return broken(`${certFile} has expired on ${leaf.validToDate.toISOString()}`, 'renew');
  }
  if (leaf.validFromDate.getTime() > nowMs) {
    const from = leaf.validFromDate.toISOString();
    return broken(`${certFile} is good only from ${from}: was a clock wrong?`, 'renew');
  }
  return well(`${nameOf(leaf.subject)} until ${leaf.validToDate.toISOString()}`);
}

function fits(leaf: X509Certificate, key: string): boolean {
  try {
    return leaf.checkPrivateKey(createPrivateKey(key));
  } catch {
    return false; // A key that cannot be read fits nothing.
  }
}

function certificateOf(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined; // Said by who asked.
  }
}

const REFUSED_CERTIFICATE = /ALERT_(?:[A-Z_]*CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED|CERT)/;

/**
 * Whether servers are told to believe the pair. One that believes it all the same was told otherwise, by flags: then what is
 * published does not matter to it.
 */
export function judgeTrust(
  identity: Pair,
  { name, trust, answer }: { name: string; trust: Trust; answer: Answer },
  place: Place,
): Judgement {
  const leaf = new X509Certificate(identity.cert);
  const problem =
    trust.kind === 'found' ? publishedProblem(identity, leaf, trust.value) : undefined;
  const shown = `shows ${nameOf(leaf.subject)}`;
  if (!isRefused(answer)) {
    if (trust.kind === 'refused') return well(`${shown}; may not read ${CONFIG_MAP}: ${trust.why}`);
    if (trust.kind === 'missing') return well(`${shown}; there is no ${CONFIG_MAP}`);
    return well(
      problem === undefined ? shown : `${shown}, and is believed although ${problem.words}`,
    );
  }
  if (problem !== undefined && place.isStandalone) {
    return notOurTrust(name, { words: problem.words, caFile: identity.caFile });
  }
  if (problem !== undefined) {
    const again = ['tributary', 'pki', 'init', '--data-dir', place.dataDir];
    const fix = problem.fix ?? { kind: 'command', argv: again };
    return { outcome: 'broken', words: problem.words, matters: MATTERS, fixes: [fix] };
  }
  if (answer.kind === 'failed') {
    return {
      outcome: 'broken',
      words: `the server breaks off the connection because of the client certificate: ${answer.code}`,
      matters: MATTERS,
      fixes: [
        {
          kind: 'server',
          action: 'restart',
          text: 'let the server believe the front proxy, and ask for certificates without insisting on those of clients',
          flags: [`--requestheader-client-ca-file=${identity.caFile}`],
        },
      ],
    };
  }
  return well(shown);
}

/** Whoever changes what a cluster publishes may come as any user, so nobody is told to. */
function notOurTrust(name: string, { words, caFile }: { words: string; caFile: string }): Broken {
  return {
    outcome: 'broken',
    words,
    matters: `${MATTERS}, and the cluster does not know this aggregator`,
    fixes: [
      {
        kind: 'server',
        action: 'restart',
        text: 'let the server believe this aggregator',
        flags: [`--requestheader-client-ca-file=${caFile}`],
      },
    ],
    // With the user's own token the server needs not believe the aggregator.
    otherwise: [
      {
        kind: 'kubectl',
        args: ['annotate', 'apiservice', name, '--overwrite', `${annotations.forwardsToken}=true`],
      },
    ],
  };
}

const CONFIG_MAP = `ConfigMap ${TRUST_NAMESPACE}/${TRUST_NAME}`;

/** A 401 is judged here only when what is published explains it. */
function isRefused(answer: Answer): boolean {
  if (answer.kind === 'failed') return REFUSED_CERTIFICATE.test(answer.code);
  return answer.status === 401 || answer.status === 403;
}

interface PublishedProblem {
  readonly words: string;
  /** Undefined: the pair has to be made anew. */
  readonly fix: Fix | undefined;
}

function publishedProblem(
  { ca, certFile }: Pair,
  leaf: X509Certificate,
  data: Readonly<Record<string, string>>,
): PublishedProblem | undefined {
  const bundle = data[CA_KEY] ?? '';
  const published = certificatesIn(bundle);
  if (!published.some((authority) => signs(authority, leaf))) {
    const own = ca === undefined ? [] : certificatesIn(ca);
    const makesSense = own.find((authority) => signs(authority, leaf));
    const names = published.map((pem) => nameOf(new X509Certificate(pem).subject)).join(', ');
    return {
      words: `${certFile} is signed by ${nameOf(leaf.issuer)}, and ${CA_KEY} in the ${CONFIG_MAP} holds ${names === '' ? 'nothing' : `only ${names}`}${makesSense === undefined ? '' : ' of another key'}`,
      fix:
        makesSense === undefined
          ? undefined
          : patchTrust({ [CA_KEY]: published.concat(makesSense).map(ended).join('') }),
    };
  }
  const allowed = listIn(data, NAMES_KEY);
  const common = /^CN=(.*)$/m.exec(leaf.subject)?.[1] ?? '';
  if (allowed.length > 0 && !allowed.includes(common)) {
    return {
      words: `${nameOf(leaf.subject)} is not among ${NAMES_KEY} in the ${CONFIG_MAP}: ${allowed.join(', ')}`,
      fix: patchTrust({ [NAMES_KEY]: JSON.stringify([...allowed, common]) }),
    };
  }
  const missing = HEADERS.find(
    ([key, header]) =>
      !listIn(data, key).some((name) => name.toLowerCase() === header.toLowerCase()),
  );
  if (missing === undefined) return undefined;
  const [key, header] = missing;
  return {
    words: `${header} is not among ${key} in the ${CONFIG_MAP}, so that no server reads it`,
    fix: patchTrust({ [key]: JSON.stringify([...listIn(data, key), header]) }),
  };
}

const CA_KEY = 'requestheader-client-ca-file';
const NAMES_KEY = 'requestheader-allowed-names';
const HEADERS = [
  ['requestheader-username-headers', 'X-Remote-User'],
  ['requestheader-group-headers', 'X-Remote-Group'],
] as const;

function patchTrust(data: Readonly<Record<string, string>>): Fix {
  return mergePatch(['configmap', TRUST_NAME, '-n', TRUST_NAMESPACE], { data });
}

function certificatesIn(pem: string): readonly string[] {
  try {
    return readCaBundle(pem);
  } catch {
    return []; // Said as: holds nothing.
  }
}

function ended(pem: string): string {
  return pem.endsWith('\n') ? pem : `${pem}\n`;
}

function listIn(data: Readonly<Record<string, string>>, key: string): readonly string[] {
  try {
    const list: unknown = JSON.parse(data[key] ?? '[]');
    return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
  } catch {
    return []; // What is no list names nobody.
  }
}
