/** Differences allowed between two control planes: times, identifiers, addresses, widths of columns. */
export interface Saying {
  code: number | null;
  stdout: readonly string[];
  stderr: readonly string[];
}

export interface Fixtures {
  namespace: string;
  keep?: RegExp | undefined;
  fieldsOnly?: boolean | undefined;
  anyOrder?: boolean | undefined;
}

export function normalise(
  said: { code: number | null; stdout: string; stderr: string },
  fixtures: Fixtures,
): Saying {
  const { keep, fieldsOnly = false, anyOrder = false } = fixtures;
  const stdout = linesOf(said.stdout, fixtures).filter((line) => keep?.test(line) ?? true);
  return {
    code: said.code,
    stdout: anyOrder ? stdout.toSorted() : fieldsOnly ? withoutProse(stdout) : stdout,
    stderr: linesOf(said.stderr, fixtures),
  };
}

const BLANK = '  ';

/** In this order: later ones would eat parts of earlier ones. */
const VOLATILE: readonly (readonly [RegExp, string])[] = [
  [/\S*\/((?:LIVE|MERGED)-)\d+\//g, '$1N/'],
  [/\t\d{4}-\d\d-\d\d \d\d:\d\d:\d\d.*$/g, ''],
  [/https:\/\/(127\.0\.0\.1|localhost):\d+/g, 'SERVER'],
  [/\b(?:127\.0\.0\.1|localhost):\d+/g, 'HOST'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'TOKEN'],
  [/\bX509SHA256=[0-9a-f]{64}\b/g, 'X509SHA256=FINGERPRINT'],
  [/\bkubernetes-admin\b/g, 'admin'],
  [/^([IWE])\d{4} [\d:.]+ +\d+ /g, '$1 '],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'UID'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, 'TIME'],
  [/\b[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, 'TIME'],
  [/(resourceVersion"?: *)"\d+"/gi, '$1"REVISION"'],
  [/(Resource Version: +)\d+/g, '$1REVISION'],
  [/\b10\.\d+\.\d+\.\d+\b/g, 'CLUSTER-IP'],
  [/\b3[0-2]\d{3}\b/g, 'NODE-PORT'],
  [/(^|[\s(,])(?:\d+[smhdy]){1,2}(?=$|[\s),])/g, '$1AGE'],
];

function linesOf(text: string, { namespace }: Fixtures): string[] {
  const named = text.replaceAll(namespace, 'NAMESPACE').trimEnd();
  return named === '' ? [] : named.split('\n').map(normaliseLine);
}

/** Blanks before the first word say where something belongs, blanks between words only how wide a column is. */
function normaliseLine(line: string): string {
  let normal = line.trimEnd();
  for (const [pattern, replacement] of VOLATILE) normal = normal.replace(pattern, replacement);
  return normal.replaceAll(/(?<=\S)(?: {2,}|\t+ *)(?=\S)/g, BLANK);
}

/** Both layouts of `kubectl explain` put the description between this heading and the next. */
function withoutProse(lines: readonly string[]): string[] {
  const start = lines.indexOf('DESCRIPTION:');
  const end = lines.findIndex((line, index) => index > start && /^[A-Z]+:/.test(line));
  return start === -1 ? [...lines] : lines.filter((_line, index) => index < start || index >= end);
}
