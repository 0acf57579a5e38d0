/** Records of comma-separated fields (RFC 4180). Their lengths may differ; empty lines are skipped. */
export function parseCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let at = 0;
  let line = 1;
  while (at < text.length) {
    if (record.length === 0 && isLineEnd(text, at)) {
      at += lineEndLength(text, at);
      line += 1;
      continue;
    }
    const field = text[at] === '"' ? quotedField(text, at, line) : plainField(text, at, line);
    record.push(field.value);
    line = field.line;
    at = field.end;
    if (text[at] === ',') {
      at += 1;
      if (at === text.length) record.push('');
      if (at < text.length && !isLineEnd(text, at)) continue;
      if (at < text.length) record.push('');
    }
    at += lineEndLength(text, at);
    line += 1;
    records.push(record);
    record = [];
  }
  return records;
}

interface Field {
  readonly value: string;
  readonly end: number;
  readonly line: number;
}

function plainField(text: string, start: number, line: number): Field {
  let end = start;
  while (end < text.length && text[end] !== ',' && !isLineEnd(text, end)) end += 1;
  const value = text.slice(start, end);
  if (value.includes('"')) {
    throw new Error(`parse error on line ${line}: bare " in non-quoted field`);
  }
  return { value, end, line };
}

function quotedField(text: string, start: number, firstLine: number): Field {
  let value = '';
  let line = firstLine;
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\n') line += 1;
    if (text[at] !== '"') {
      value += text[at];
    } else if (text[at + 1] === '"') {
      value += '"';
      at += 1;
    } else {
      const end = at + 1;
      if (end === text.length || text[end] === ',' || isLineEnd(text, end)) {
        return { value, end, line };
      }
      break;
    }
  }
  throw new Error(`parse error on line ${line}: extraneous or missing " in quoted-field`);
}

function isLineEnd(text: string, at: number): boolean {
  return text[at] === '\n' || (text[at] === '\r' && text[at + 1] === '\n');
}

function lineEndLength(text: string, at: number): number {
  return text[at] === '\r' ? 2 : 1;
}
