import { X509Certificate } from 'node:crypto';

const BLOCK = /-----BEGIN ([^-\n]+)-----\r?\n([\s\S]*?)-----END \1-----[ \t]*(?:\r?\n|$)/g;

/**
 * The certificates of a caBundle, one PEM block each. As upstream, one valid certificate is enough, and everything else
 * is ignored. Throws upstream's error when there is none.
 */
export function readCaBundle(pem: string): string[] {
  const certificates: string[] = [];
  let problem: string | undefined;
  let end = 0;
  for (const match of pem.matchAll(BLOCK)) {
    end = match.index + match[0].length;
    const [block, type, content = ''] = match;
    // As in Go, blocks with headers are ignored.
    if (type !== 'CERTIFICATE' || content.includes(':')) continue;
    try {
      new X509Certificate(block);
      certificates.push(block);
    } catch (error) {
      problem ??= `failed to parse certificate: ${(error as Error).message}`;
    }
  }
  if (certificates.length > 0) return certificates;
  if (problem === undefined && pem.slice(end).trim() !== '') {
    problem = 'unable to parse bytes as PEM block';
  }
  problem ??= 'no valid certificate authority data seen';
  throw new Error(`unable to load root certificates: ${problem}`);
}
