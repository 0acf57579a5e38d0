import { X509Certificate } from 'node:crypto';

const BEGIN = '-----BEGIN ';
const END = '-----END ';
const DASHES = '-----';
/** Parsing an invalid certificate is slow; a bundle with this many before the first valid one is rejected. */
const CERTIFICATES_MAX = 200;

/** The error of a base64 bundle without any certificate; undefined for a valid and for an empty one. */
export function caBundleError(bundle: string | undefined): string | undefined {
  if (!bundle) return undefined;
  const blocks = pemBlocks(Buffer.from(bundle, 'base64').toString('latin1'));
  const certificates = blocks.filter(({ type }) => type === 'CERTIFICATE');
  if (certificates.slice(0, CERTIFICATES_MAX).some(({ pem }) => isCertificate(pem)))
    return undefined;
  const before = 'unable to load root certificates: ';
  if (blocks.length === 0) return `${before}unable to parse bytes as PEM block`;
  if (certificates.length > 0) return `${before}failed to parse certificate`;
  return `${before}no valid certificate authority data seen`;
}

interface PemBlock {
  readonly type: string;
  readonly pem: string;
}

/** In one pass, for any input. */
function pemBlocks(text: string): PemBlock[] {
  const blocks: PemBlock[] = [];
  let end = -1;
  for (let begin = text.indexOf(BEGIN); begin >= 0; ) {
    const headEnd = text.indexOf(DASHES, begin + BEGIN.length);
    if (headEnd < 0) break;
    if (end < headEnd) end = text.indexOf(END, headEnd);
    if (end < 0) break;
    const type = text.slice(begin + BEGIN.length, headEnd);
    const tail = `${END}${type}${DASHES}`;
    const isWhole = text.startsWith(tail, end);
    if (isWhole) blocks.push({ type, pem: text.slice(begin, end + tail.length) });
    begin = text.indexOf(BEGIN, isWhole ? end + tail.length : headEnd);
  }
  return blocks;
}

function isCertificate(pem: string): boolean {
  try {
    new X509Certificate(pem);
    return true;
  } catch {
    // The parser throws for any invalid input; the message of the bundle's error is upstream's.
    return false;
  }
}
