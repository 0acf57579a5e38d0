/** Words of CEL, which cannot be written as fields and are escaped. */
const RESERVED: ReadonlySet<string> = new Set([
  'true',
  'false',
  'null',
  'in',
  'as',
  'break',
  'const',
  'continue',
  'else',
  'for',
  'function',
  'if',
  'import',
  'let',
  'loop',
  'package',
  'namespace',
  'return',
  'var',
  'void',
  'while',
]);

const SEQUENCES: ReadonlyMap<string, string> = new Map([
  ['__', '__underscores__'],
  ['.', '__dot__'],
  ['-', '__dash__'],
  ['/', '__slash__'],
]);
const UNESCAPED: ReadonlyMap<string, string> = new Map(
  [...SEQUENCES].map(([plain, sequence]) => [sequence, plain]),
);

export function isReserved(name: string): boolean {
  return RESERVED.has(name);
}

/** The name of a property as an expression writes it; undefined when it cannot be written. */
export function escapeProperty(name: string): string | undefined {
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(name)) {
    return undefined;
  }
  if (RESERVED.has(name)) {
    return `__${name}__`;
  }
  return name.replace(/__|[./-]/g, (part) => SEQUENCES.get(part) ?? part);
}

/** The property that an escaped name stands for; undefined when an escape in it is none. */
export function unescapeProperty(escaped: string): string | undefined {
  if (!escaped.includes('__')) {
    return escaped;
  }
  let valid = true;
  const name = escaped.replace(/__[^_]+__/g, (sequence) => {
    const plain = UNESCAPED.get(sequence);
    if (plain !== undefined) {
      return plain;
    }
    const word = sequence.slice(2, -2);
    valid &&= RESERVED.has(word) && sequence === escaped;
    return word;
  });
  return valid ? name : undefined;
}
